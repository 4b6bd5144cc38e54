/// The catalogue on sale where nobody named a file: a small store to try things out on.
public enum BuiltInCatalogue {
  /// The name under which it is imported.
  public static let name = "built-in"

  /// The text of a `.storekit` file of format 3.
  public static let storekitText = """
    {
      "identifier" : "B011FE01",
      "nonRenewingSubscriptions" : [
        {
          "displayPrice" : "19.99",
          "familyShareable" : false,
          "internalID" : "B0110003",
          "localizations" : [
            {
              "description" : "Everything, for one season",
              "displayName" : "Season Pass",
              "locale" : "en_US"
            }
          ],
          "productID" : "season.pass",
          "referenceName" : "Season Pass",
          "type" : "NonRenewingSubscription"
        }
      ],
      "products" : [
        {
          "displayPrice" : "0.99",
          "familyShareable" : false,
          "internalID" : "B0110001",
          "localizations" : [
            {
              "description" : "A hundred coins to spend",
              "displayName" : "100 Coins",
              "locale" : "en_US"
            }
          ],
          "productID" : "coins.100",
          "referenceName" : "100 Coins",
          "type" : "Consumable"
        },
        {
          "displayPrice" : "149.99",
          "familyShareable" : true,
          "internalID" : "B0110002",
          "localizations" : [
            {
              "description" : "Everything, for ever",
              "displayName" : "Lifetime",
              "locale" : "en_US"
            }
          ],
          "productID" : "lifetime",
          "referenceName" : "Lifetime",
          "type" : "NonConsumable"
        }
      ],
      "settings" : {
        "_locale" : "en_US",
        "_storefront" : "USA"
      },
      "subscriptionGroups" : [
        {
          "id" : "B0110010",
          "localizations" : [

          ],
          "name" : "Pro",
          "subscriptions" : [
    \(subscription(
      id: "pro.monthly", name: "Pro Monthly", price: "9.99", level: 1, period: "P1M",
      internalID: "B0110011")),
    \(subscription(
      id: "pro.yearly", name: "Pro Yearly", price: "99.99", level: 1, period: "P1Y",
      internalID: "B0110012")),
    \(subscription(
      id: "basic.monthly", name: "Basic Monthly", price: "4.99", level: 2, period: "P1M",
      internalID: "B0110013"))
          ]
        }
      ],
      "version" : {
        "major" : 3,
        "minor" : 0
      }
    }

    """

  private static func subscription(
    id: String, name: String, price: String, level: Int, period: String, internalID: String
  ) -> String {
    """
            {
              "adHocOffers" : [

              ],
              "codeOffers" : [

              ],
              "displayPrice" : "\(price)",
              "familyShareable" : false,
              "groupNumber" : \(level),
              "internalID" : "\(internalID)",
              "introductoryOffer" : null,
              "localizations" : [
                {
                  "description" : "",
                  "displayName" : "\(name)",
                  "locale" : "en_US"
                }
              ],
              "productID" : "\(id)",
              "recurringSubscriptionPeriod" : "\(period)",
              "referenceName" : "\(name)",
              "subscriptionGroupID" : "B0110010",
              "type" : "RecurringSubscription"
            }
    """
  }
}
