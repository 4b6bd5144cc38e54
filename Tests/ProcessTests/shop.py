"""Catalogues of the tests' own, as Xcode writes them (Domain.md 5), and what they must sell."""

import json
import os

from moments import add, split

PERIODS = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]


def introduction(mode, period, count=1, price="0.99"):
  """An introductory offer; the count is left out where it is 1, as older files do."""
  offer = {"internalID": "0F000001", "paymentMode": mode, "subscriptionPeriod": period}
  if count != 1:
    offer["numberOfPeriods"] = count
  if mode != "free":
    offer["displayPrice"] = price
  return offer


def subscription(product, period, price="9.99", level=1, intro=None, shareable=False):
  return {
    "adHocOffers": [], "codeOffers": [], "displayPrice": price, "familyShareable": shareable,
    "groupNumber": level, "internalID": "0A000001", "introductoryOffer": intro,
    "localizations": [{"description": "", "displayName": product, "locale": "en_US"}],
    "productID": product, "recurringSubscriptionPeriod": period, "referenceName": product,
    "type": "RecurringSubscription",
  }


def item(product, kind, price="0.99", shareable=False):
  return {
    "displayPrice": price, "familyShareable": shareable, "internalID": "0B000001",
    "localizations": [{"description": "", "displayName": product, "locale": "en_US"}],
    "productID": product, "referenceName": product, "type": kind,
  }


def catalogue(groups, products=(), lasting=(), version=4, **members):
  """A configuration file's content: groups is a name and its subscriptions, each."""
  listed = []
  for number, (name, subscriptions) in enumerate(groups.items()):
    identifier = f"AA{number:06X}"
    for entry in subscriptions:
      entry["subscriptionGroupID"] = identifier
    listed.append(
      {"id": identifier, "localizations": [], "name": name, "subscriptions": subscriptions})
  return {
    "identifier": "AB000000", "nonRenewingSubscriptions": list(lasting),
    "products": list(products), "settings": {"_locale": "en_US", "_storefront": "USA"},
    "subscriptionGroups": listed, "version": {"major": version, "minor": 0}, **members,
  }


def standard():
  """The shop of most tests."""
  return catalogue(
    {
      "pro": [
        subscription("pro.monthly", "P1M"),
        subscription("pro.weekly", "P1W", "2.99"),
        subscription("pro.yearly", "P1Y", "99.99"),
        subscription("basic.monthly", "P1M", "4.99", level=2),
      ],
      "news": [subscription("news.monthly", "P1M", "3.99")],
      "trial": [subscription("trial30d", "P1M", intro=introduction("free", "P3D", 10))],
    },
    products=[item("coins", "Consumable"), item("lifetime", "NonConsumable", "49.99")],
    lasting=[item("season", "NonRenewingSubscription", "19.99")])


def large():
  """The text of a catalogue of half a megabyte, never the same twice."""
  content = catalogue({}, [item("large", "Consumable")])
  content["products"][0]["localizations"] = [
    {"description": os.urandom(1 << 18).hex(), "displayName": "large", "locale": "en_US"}]
  return json.dumps(content)


def write(path, content):
  path.write_text(json.dumps(content, indent=2))
  return path


def subscriptions(content):
  """Every subscription of a configuration file, in its order."""
  for group in content.get("subscriptionGroups") or []:
    yield from group.get("subscriptions") or []


def offer_of(entry):
  """A subscription's introductory offer: format 5 has a list, whose first counts."""
  several = entry.get("introductoryOffers") or []
  return several[0] if several else entry.get("introductoryOffer")


def expected_ends(entry, start, until):
  """The ends of all periods that begin at or before `until`, by Domain.md 1.7 and 2.2.

  A trial and an offer paid up front are one period of the whole offer's length; an offer paid as
  one goes has the product's own periods. The calendar is counted from the purchase, or from a
  trial's end, and from an offer's end where its days and the product's months do not add up.
  """
  period = entry["recurringSubscriptionPeriod"]
  offer = offer_of(entry)
  ends = []
  anchor, done = start, 0
  if offer and offer["paymentMode"] != "payAsYouGo":
    count = offer.get("numberOfPeriods") or 1
    first = add(start, offer["subscriptionPeriod"], count)
    ends.append(first)
    unit, length = split(offer["subscriptionPeriod"])
    base_unit, base_length = split(period)
    if offer["paymentMode"] == "free" or unit != base_unit:
      anchor = first
    else:
      done = length * count
  unit, length = split(period)
  suffix = "M" if unit == "months" else "D"
  while not ends or ends[-1] <= until:
    done += length
    ends.append(add(anchor, f"P1{suffix}", done))
  return ends


def deal(name, mode, period, count=1, price="0.99", **more):
  """An offer with an id: a promotional or win-back one, or (as reference name) a code."""
  offer = {**introduction(mode, period, count, price), "internalID": f"0E{name}", **more}
  offer["referenceName" if "eligibility" in more else "offerID"] = name
  return offer


def with_offers():
  """A group whose better product has an offer of each kind."""
  plus = subscription("plus", "P1M", intro=introduction("free", "P1W"))
  plus["adHocOffers"] = [deal("half", "payAsYouGo", "P1M", 2, "4.99"), deal("gift", "free", "P1M")]
  plus["codeOffers"] = [
    deal("SPRING", "payUpFront", "P2M", price="7.99", eligibility=["new", "expired"],
         isStackable=True)]
  plus["winbackOffers"] = [deal("return", "payAsYouGo", "P1M", price="1.99", isEligible=True)]
  base = subscription("base", "P1M", "4.99", level=2)
  base["adHocOffers"] = [deal("half", "payAsYouGo", "P1M", 2, "2.49")]
  return catalogue({"levels": [plus, base]}, products=[item("lifetime", "NonConsumable")])


def with_plans():
  """Silver below gold, offers of each kind for plus, a plan that a family can share."""
  [offers] = with_offers()["subscriptionGroups"]
  return catalogue(
    {
      "levels": [
        subscription("gold", "P1M", "19.99"),
        subscription("silver", "P1M", "9.99", level=2),
      ],
      "plus": offers["subscriptions"],
      "home": [subscription("family", "P1M", "14.99", shareable=True)],
    },
    products=[item("coins", "Consumable"),
              item("lifetime", "NonConsumable", "49.99", shareable=True)],
    lasting=[item("season", "NonRenewingSubscription", "19.99")])
