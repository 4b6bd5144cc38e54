"""What SKTestSession can do, done with renewctl as its page says (Domain.md 6.1)."""

import pathlib

import pytest

import shop

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "renewctl" / "SKTestSession.md"

# The member of SKTestSession; what is done with renewctl; words of what the last verb says.
ABILITIES = [
  ("resetToDefaultState()", "rate monthly 5min; rate default; rate", "realTime (configured)"),
  ("clearTransactions()", "buy u1 silver; reset; history u1", "u1 has no transactions"),
  ("allTransactions()", "buy u1 silver; buy u1 coins; history u1", "coins"),
  ("storefront", "buy u1 silver --storefront DEU", "bought silver for 9.99 EUR"),
  ("timeRate", "rate monthly 5min; buy u1 silver", "until 2025-01-10T12:05:00Z"),
  ("buyProduct(productIdentifier:)", "buy u1 silver", "u1 bought silver for 9.99 USD"),
  (".purchaseDate(_:renewalBehavior:)", "buy u1 silver --date 2024-10-10T12:00:00Z; status u1",
   "silver is active until 2025-02-10T12:00:00Z"),
  (".cancelImmediately", "buy u1 silver --date 2024-10-10T12:00:00Z --cancelled",
   "u1 bought silver for 9.99 USD, until 2024-11-10T12:00:00Z, and turned its renewal off at once"),
  (".codeOffer(referenceName:)", "buy u1 plus --offer code:SPRING; history u1 --until 2025-01-18",
   "code SPRING"),
  (".promotionalOffer(id:)", "buy u1 plus; buy u1 plus --offer promotional:half",
   "is to renew then with the offer half for 4.99 USD"),
  ("setSimulatedError(_:forAPI:)", "fault purchase networkError; fault",
   "purchase fails with networkError"),
  ("failTransactionsEnabled", "fault purchase invalidOfferPrice; fault purchase off; fault",
   "nothing fails by itself"),
  ("interruptedPurchasesEnabled", "interrupt on; buy u1 silver",
   "the purchase of silver by u1 was not made"),
  ("resolveIssueForTransaction(identifier:)",
   "interrupt on; buy u1 silver; interrupt off; resolve u1", "u1 bought silver for 9.99 USD"),
  ("askToBuyEnabled", "asktobuy on; buy u1 silver; pending", "ask to buy"),
  ("approveAskToBuyTransaction(identifier:)", "asktobuy on; buy u1 silver; approve u1",
   "u1 bought silver for 9.99 USD"),
  ("declineAskToBuyTransaction(identifier:)", "asktobuy on; buy u1 silver; decline u1",
   "declined"),
  ("disableAutoRenewForTransaction(identifier:)", "buy u1 silver; cancel u1",
   "u1's silver ends on 2025-02-10T12:00:00Z and does not renew"),
  ("enableAutoRenewForTransaction(identifier:)", "buy u1 silver; cancel u1; resume u1",
   "u1's silver is to renew on 2025-02-10T12:00:00Z"),
  ("forceRenewalOfSubscription(productIdentifier:)", "buy u1 silver; advance 5d; renew u1",
   "renewed silver, until 2025-02-15T12:00:00Z"),
  ("expireSubscription(productIdentifier:)", "buy u1 silver; advance 5d; expire u1",
   "silver ended on 2025-01-15T12:00:00Z"),
  ("shouldEnterBillingRetryOnRenewal",
   "buy u1 silver; billing fail u1; advance 1month; timeline u1", "payment of silver failed"),
  ("requestPriceIncreaseConsentForTransaction(identifier:)",
   "buy u1 silver; price announce silver 12.99 --consent",
   "silver costs 12.99 from now on; 1 subscription asked"),
  ("consentToPriceIncreaseForTransaction(identifier:)",
   "buy u1 silver; price announce silver 12.99 --consent; price consent u1",
   "agreed: silver is to renew at the new price on 2025-02-10T12:00:00Z"),
  ("declinePriceIncreaseForTransaction(identifier:)",
   "buy u1 silver; price announce silver 12.99 --consent; price decline u1",
   "not agreed: silver ends on 2025-02-10T12:00:00Z"),
  ("refundTransaction(identifier:)", "buy u1 silver; refund u1",
   "refunded 2000000000000001, silver of 2025-01-10T12:00:00Z (9.99 USD)"),
]


@pytest.mark.parametrize("member, words, said", ABILITIES,
                         ids=[row[0].split("(")[0] for row in ABILITIES])
def test_an_ability_is_a_verb(make_daemon, member, words, said):
  assert f"{member}" in PAGE.read_text()
  daemon = make_daemon(catalogue=shop.with_plans(), clock="2025-01-10T12:00:00Z").start()
  outcome = None
  for command in words.split("; "):
    outcome = daemon.ctl(*command.split())
    assert outcome.status in (0, 1), outcome
    # The verb is on the page, or one that only shows what came of it.
    verb = command.split()[0]
    assert f"renewctl {verb}" in PAGE.read_text() or verb in ("advance", "timeline", "fault")
  assert said in outcome.out, outcome


def test_a_file_is_a_session(make_daemon, folder):
  """`init(contentsOf:)`: a shop's file, when the daemon starts or while it runs."""
  daemon = make_daemon(catalogue=False, clock="2025-01-10T12:00:00Z").start()
  path = shop.write(folder / "Shop.storekit", shop.with_plans())
  assert "8 products on sale" in daemon.do("catalog", "import", path).out
  daemon.do("buy", "u1", "silver")


def test_grace_is_the_daemons(make_daemon):
  """`billingGracePeriodIsEnabled`, and failing charges for all from their first purchase on."""
  daemon = make_daemon("--policy", "billingGracePeriod=16d", "--policy", "renewalsFail=yes",
                       catalogue=shop.with_plans(), clock="2025-01-10T12:00:00Z").start()
  daemon.do("buy", "u1", "silver")
  daemon.do("advance", "1month")
  assert "in grace until 2025-02-26T12:00:00Z" in daemon.do("status", "u1").out
