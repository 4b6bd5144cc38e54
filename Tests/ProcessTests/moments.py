"""Times and spans of the tests, computed by themselves: nothing here comes from renewd.

Months are counted on the calendar in UTC and clamped to the month's last day (Domain.md 2.2).
"""

import calendar
import datetime
import re

DAY = 86_400_000
UTC = datetime.timezone.utc


def moment(text):
  """`2025-01-31` or `2025-01-31T10:00:00Z` as milliseconds since 1970."""
  time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
  if time.tzinfo is None:
    time = time.replace(tzinfo=UTC)
  # Whole numbers throughout: a float would round the milliseconds.
  since = time - datetime.datetime(1970, 1, 1, tzinfo=UTC)
  return since.days * DAY + since.seconds * 1000 + since.microseconds // 1000


def text(milliseconds):
  """Milliseconds as `2025-01-31T10:00:00Z`."""
  seconds, rest = divmod(milliseconds, 1000)
  time = datetime.datetime(1970, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=seconds)
  fraction = f".{rest:03}" if rest else ""
  return time.strftime("%Y-%m-%dT%H:%M:%S") + fraction + "Z"


def day(milliseconds):
  return text(milliseconds)[:10]


def add_months(milliseconds, months):
  days, time_of_day = divmod(milliseconds, DAY)
  date = datetime.date(1970, 1, 1) + datetime.timedelta(days=days)
  index = date.year * 12 + date.month - 1 + months
  year, month = divmod(index, 12)
  last = calendar.monthrange(year, month + 1)[1]
  target = datetime.date(year, month + 1, min(date.day, last))
  return (target - datetime.date(1970, 1, 1)).days * DAY + time_of_day


def split(period):
  """`P2W` as ("days", 14), `P1Y` as ("months", 12)."""
  number, unit = re.fullmatch(r"P(\d+)([DWMY])", period).groups()
  factors = {"D": ("days", 1), "W": ("days", 7), "M": ("months", 1), "Y": ("months", 12)}
  name, factor = factors[unit]
  return name, int(number) * factor


def add(milliseconds, period, times=1):
  """`times` periods after a moment, in one step from it."""
  unit, length = split(period)
  if unit == "months":
    return add_months(milliseconds, length * times)
  return milliseconds + length * times * DAY
