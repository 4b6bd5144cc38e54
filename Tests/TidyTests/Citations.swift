import Foundation

/// What comments, texts and pages cite is there: pages that are in the tree, and of `Domain.md` the
/// section or the number.
struct Citations {
  /// Names of the tree's pages.
  let pages: Set<String>
  /// Sections (`1.3`), events (`E22b`) and reports (`B54`) of Domain.md.
  private let sections: Set<String>
  private let caseNumbers: ClosedRange<Int> = 1...88

  init(pages: Set<String>, domain: String) {
    self.pages = pages
    var sections: Set<String> = []
    for match in domain.matches(of: #/(?m)^#+ (?:Appendix )?([0-9]+(?:\.[0-9]+)*|A)\.? /#) {
      sections.insert(String(match.1))
    }
    for match in domain.matches(of: #/(?m)^\| (E[0-9]+[a-z]?) \|/#) {
      sections.insert(String(match.1))
    }
    for match in domain.matches(of: #/(?m)^- (B[0-9]+)\. /#) { sections.insert(String(match.1)) }
    self.sections = sections
  }

  func findings(in path: String, _ text: String) -> [Finding] {
    var found: [Finding] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      for match in line.matches(of: #/\b([A-Za-z][A-Za-z0-9_+-]*\.md)\b/#)
      where !pages.contains(String(match.1)) {
        found.append(Finding(path: path, line: index + 1, text: "\(match.1) is not in the tree"))
      }
      for match in line.matches(of: #/Domain\.md,? ([0-9]+(?:\.[0-9]+)*|[EB][0-9]+[a-z]?)/#)
      where !isThere(String(match.1)) {
        found.append(
          Finding(path: path, line: index + 1, text: "Domain.md has no \(match.1)"))
      }
    }
    return found
  }

  /// A section, or a numbered sentence of one: `8.82`, `9.2.4`.
  private func isThere(_ name: String) -> Bool {
    if sections.contains(name) { return true }
    let parts = name.split(separator: ".")
    guard let last = parts.last.flatMap({ Int($0) }), parts.count > 1 else { return false }
    let section = parts.dropLast().joined(separator: ".")
    return section == "8" ? caseNumbers.contains(last) : sections.contains(section) && last < 20
  }
}
