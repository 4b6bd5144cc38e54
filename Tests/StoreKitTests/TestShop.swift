import Client
import Crypto
import Foundation

/// A real daemon with a small shop and a clock that stands still, for one test; ended with it. The
/// library's connection is made to it, as an app's launch.
final class TestShop {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Far more than a daemon needs to start; only a hang is wrong.
  private static let startSecondsMax: Duration = .seconds(60)

  let socket: String
  private let folder: URL
  private let process = Process()
  private let connection: Connection

  init(account: String? = "u1", options: [String] = []) throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "renewd-shop-\(UInt32.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    socket = folder.appending(path: "s").path
    let catalogue = folder.appending(path: "shop.storekit").path
    try Self.catalogueText().write(toFile: catalogue, atomically: false, encoding: .utf8)
    let configuration = folder.appending(path: "renewd.conf").path
    try "".write(toFile: configuration, atomically: false, encoding: .utf8)
    process.executableURL = URL(filePath: try Self.binary())
    process.arguments =
      [
        "--config", configuration, "--ephemeral", "--socket", socket, "--catalog", catalogue,
        "--clock", "2025-01-31T10:00:00Z",
      ] + options
    process.standardError = FileHandle.nullDevice
    try process.run()
    connection = try Connection(
      to: SocketAddress(socket), waitingUpTo: Self.startSecondsMax)
    try launch(account: account)
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      print("\(folder.path) was left behind: \(error)")
    }
  }

  /// The program as it was built beside the tests.
  private static func binary() throws -> String {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let path = (tests as NSString).deletingLastPathComponent + "/renewd"
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Failure(description: "\(path) is not there: build the whole package first")
    }
    return path
  }

  /// Launches the app, once more if it ran before.
  func launch(account: String? = "u1") throws {
    try Self.use(socket, account)
  }

  /// What happens elsewhere: at another device, or at the store.
  @discardableResult
  func call<Result>(_ call: Call<Result>) throws -> Result { try connection.call(call) }

  /// Buys at another device, or for another account.
  func buy(_ product: String, for account: String, storefront: String? = nil) throws {
    var options = PurchaseOptions()
    options.storefront = storefront
    try call(.purchase(account: account, productID: product, options: options))
  }

  func advance(_ span: String) throws {
    try call(.advance(by: try CalendarSpan(span)))
  }

  /// The key that signs promotional offers of this shop.
  private static let offerKey = Result { try PrivateKey() }
  static let offerKeyID = "0F0F0F0F"

  /// Signs a promotional offer as an app's server does: DER over what the interface names.
  static func sign(
    offer: String, of product: String, nonce: UUID, timestamp: Int
  ) throws -> Data {
    let fields = [
      "com.example.app", offerKeyID, product, offer, "", nonce.uuidString.lowercased(),
      "\(timestamp)",
    ]
    let message = Array(fields.joined(separator: "\u{2063}").utf8)
    return Data(try offerKey.get().signature(message: message).der)
  }

  private static func catalogueText() throws -> String {
    let key = Data(try offerKey.get().pkcs8).base64EncodedString()
    return catalogue.replacing("OFFER_KEY", with: key)
  }

  private static let catalogue = """
    {
      "subscriptionOffersKeyPair": {"id": "0F0F0F0F", "privateKey": "OFFER_KEY"},
      "identifier": "AB000000", "version": {"major": 4, "minor": 0},
      "settings": {"_locale": "en_US", "_storefront": "USA"},
      "products": [
        {
          "displayPrice": "0.99", "familyShareable": false, "internalID": "B1",
          "localizations": [{"description": "", "displayName": "Coins", "locale": "en_US"}],
          "productID": "coins", "referenceName": "coins", "type": "Consumable"
        },
        {
          "displayPrice": "49.99", "familyShareable": true, "internalID": "B2",
          "localizations": [{"description": "", "displayName": "Lifetime", "locale": "en_US"}],
          "productID": "lifetime", "referenceName": "lifetime", "type": "NonConsumable"
        }
      ],
      "nonRenewingSubscriptions": [
        {
          "displayPrice": "19.99", "familyShareable": false, "internalID": "B3",
          "localizations": [{"description": "", "displayName": "Season", "locale": "en_US"}],
          "productID": "season", "referenceName": "season", "type": "NonRenewingSubscription"
        }
      ],
      "subscriptionGroups": [
        {
          "id": "A1", "localizations": [], "name": "Pro",
          "subscriptions": [
            {
              "adHocOffers": [
                {
                  "internalID": "A5", "offerID": "half", "referenceName": "half",
                  "paymentMode": "payUpFront", "subscriptionPeriod": "P2M",
                  "displayPrice": "4.99"
                }
              ],
              "winbackOffers": [
                {
                  "internalID": "A6", "offerID": "return", "referenceName": "return",
                  "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M",
                  "displayPrice": "1.99", "isEligible": true
                }
              ],
              "codeOffers": [], "displayPrice": "9.99",
              "familyShareable": true, "groupNumber": 1, "internalID": "A2",
              "introductoryOffer": {
                "internalID": "A3", "paymentMode": "free", "subscriptionPeriod": "P1W"
              },
              "localizations": [
                {"description": "All", "displayName": "Pro Monthly", "locale": "en_US"}
              ],
              "productID": "pro.monthly", "recurringSubscriptionPeriod": "P1M",
              "referenceName": "pro", "subscriptionGroupID": "A1", "type": "RecurringSubscription"
            },
            {
              "adHocOffers": [], "codeOffers": [], "displayPrice": "4.99",
              "familyShareable": false, "groupNumber": 2, "internalID": "A4",
              "introductoryOffer": null,
              "localizations": [
                {"description": "Some", "displayName": "Basic Monthly", "locale": "en_US"}
              ],
              "productID": "basic.monthly", "recurringSubscriptionPeriod": "P1M",
              "referenceName": "basic", "subscriptionGroupID": "A1",
              "type": "RecurringSubscription"
            }
          ]
        }
      ]
    }
    """
}
