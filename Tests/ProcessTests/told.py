"""Who reads an explanation: plain phrases that stand in each, and nothing else of renewd."""

import re

# What is said where nothing more will come by itself.
NEVER = None


class Told:
  """What a reader finds in an explanation: the account's access, then one thing after another."""

  def __init__(self, text):
    self.lines = text.splitlines()
    self.events = [line for line in self.lines if re.search(r"#\d+(\)\.)?$", line)]
    self.now = next((line for line in self.lines if line.startswith("It is now ")), "")
    self.entitled = "; the account is entitled" in self.now
    self.things = {}
    for line in self.lines:
      found = re.match(
        r"(\S+) \(original transaction \d+[^)]*\) is at status \d \(([a-z ]+)\) and "
        r"(entitles|does not entitle)[^:]*: (.*)\.$", line)
      if found:
        product, status, entitles, cause = found.groups()
        self.things[product] = [status, entitles == "entitles", cause, "unsaid", ""]
      found = re.match(r"The next date of (\S+) is (\S+): (.*)\.$", line)
      if found:
        self.things[found[1]][3:] = [found[2], found[3]]
      found = re.match(r"There is no next date for (\S+): (.*)\.$", line)
      if found:
        self.things[found[1]][3:] = [NEVER, found[2]]
