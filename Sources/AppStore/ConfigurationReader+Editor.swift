import JSON

/// What only the editor of a file or its simulation uses. Where such a value has another shape
/// than it is known by, a notice says what was found and what is taken instead, and everything
/// stays on sale (Domain.md 5.5): other versions of Xcode, and other tools, write their state in
/// shapes of their own.
extension ConfigurationReader {
  /// What `read` finds under `key`; nil where it is missing, and nil with a notice where it cannot
  /// be read. `instead` is the notice's end: what is taken.
  mutating func tolerate<Value>(
    _ key: String, of node: ConfigurationNode, else instead: String,
    _ read: (String) throws(StoreKitConfigurationError) -> Value?
  ) -> Value? {
    do throws(StoreKitConfigurationError) {
      return try read(key)
    } catch {
      note(node.path, key: key, "\(error.reason); \(instead)")
      return nil
    }
  }

  /// The member as an object, and a notice for each key of it that is not known.
  mutating func tolerateObject(
    _ key: String, of node: ConfigurationNode, known: Set<String>, else instead: String
  ) -> ConfigurationNode? {
    guard let member = tolerate(key, of: node, else: instead, node.object) else { return nil }
    noteUnknownKeys(of: member, known: known)
    return member
  }

  /// The elements of the member that are objects.
  mutating func tolerateElements(
    _ key: String, of node: ConfigurationNode, known: Set<String>, else instead: String
  ) -> [ConfigurationNode] {
    let elements = tolerate(key, of: node, else: instead, node.elements)
    return (elements ?? []).filter { element in
      guard case .object = element.value else {
        notices.add(
          element.path, "\(element.wrongKind(.object).reason); it is left out")
        return false
      }
      noteUnknownKeys(of: element, known: known)
      return true
    }
  }

  /// A text that Xcode writes as a string, though it may be all digits.
  mutating func tolerateIDText(
    _ key: String, of node: ConfigurationNode, else instead: String
  ) -> String? {
    if node.member(key)?.value.kind == .number {
      note(node.path, key: key, "a number; Xcode writes it as a string")
    }
    return tolerate(key, of: node, else: instead, node.idText)
  }

  /// Looks at the names that a product, group or offer has in the editor alone.
  mutating func noteEditorNames(of node: ConfigurationNode, _ keys: [String]) {
    for key in keys {
      _ = tolerate(key, of: node, else: "it is ignored", node.idText)
    }
  }
}
