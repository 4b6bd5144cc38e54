extension InterfaceDescription {
  /// Reads the text of a description and checks it whole.
  public static func parse(_ text: String) throws(InterfaceError) -> InterfaceDescription {
    guard text.utf8.count <= VarlinkLimits.descriptionBytesMax else {
      throw InterfaceError(.tooLong)
    }
    var parser = InterfaceParser(text: Array(text.utf8))
    let interface = try parser.interface()
    do throws(InterfaceError) {
      try interface.check()
    } catch {
      // A model has no lines; the first place where the name stands as a word serves.
      throw parser.place(error)
    }
    return interface
  }
}

/// Reads a description by recursive descent, a word at a time.
struct InterfaceParser {
  private let text: [UInt8]
  private var position = 0
  private var depth = 0
  /// The comment lines since the newest word or empty line.
  private var comments: [String] = []

  init(text: [UInt8]) {
    self.text = text
  }

  // MARK: Grammar

  mutating func interface() throws(InterfaceError) -> InterfaceDescription {
    guard try peekWord("the word interface") == "interface" else { throw fail("interface") }
    let documentation = takeComments()
    _ = takeWord()
    let start = try peekSpot("the interface's name")
    let name = takeWord()
    guard InterfaceName.isInterface(name.utf8) else {
      throw error(.malformedName(name), at: start)
    }
    var interface = InterfaceDescription(name: name, documentation: documentation)
    while peek() != nil { interface.members.append(try member()) }
    return interface
  }

  private mutating func member() throws(InterfaceError) -> InterfaceDescription.Member {
    let kind = try peekWord("type, method or error")
    guard kind == "type" || kind == "method" || kind == "error" else {
      throw fail("type, method or error")
    }
    let documentation = takeComments()
    _ = takeWord()
    let start = try peekSpot("a name")
    let name = takeWord()
    guard InterfaceName.isMember(name.utf8) else { throw error(.malformedName(name), at: start) }
    let definition: InterfaceDescription.Definition
    switch kind {
    case "method":
      let input = try structure()
      try take("->")
      definition = .method(input: input, output: try structure())
    case "error": definition = .error(try structure())
    default: definition = .type(try structureOrEnumeration())
    }
    return InterfaceDescription.Member(
      name: name, documentation: documentation, definition: definition)
  }

  private mutating func type() throws(InterfaceError) -> InterfaceType {
    depth += 1
    defer { depth -= 1 }
    let start = try peekSpot("a type")
    guard depth <= VarlinkLimits.typeDepthMax else { throw error(.tooDeep, at: start) }
    switch text[start] {
    case UInt8(ascii: "?"):
      position += 1
      if peek() == UInt8(ascii: "?") { throw error(.repeatedOptional, at: position) }
      return .optional(try type())
    case UInt8(ascii: "["):
      position += 1
      if try peekSpot("a bracket") == position, text[position] == UInt8(ascii: "]") {
        position += 1
        return .array(try type())
      }
      guard takeWord() == "string" else { throw fail("[] or [string]") }
      try take("]")
      return .map(try type())
    case UInt8(ascii: "("): return try structureOrEnumeration()
    default: return try namedType(at: start)
    }
  }

  private mutating func namedType(at start: Int) throws(InterfaceError) -> InterfaceType {
    let word = takeWord()
    switch word {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    default:
      guard InterfaceName.isMember(word.utf8) else {
        position = start
        throw fail("a type")
      }
      return .named(word)
    }
  }

  private mutating func structure() throws(InterfaceError) -> [InterfaceField] {
    let start = try peekSpot("(")
    guard case .structure(let fields) = try structureOrEnumeration() else {
      throw error(.expected("fields with types"), at: start)
    }
    return fields
  }

  /// Both stand in parentheses; the colon after the first name tells them apart.
  private mutating func structureOrEnumeration() throws(InterfaceError) -> InterfaceType {
    try take("(")
    if peek() == UInt8(ascii: ")") {
      position += 1
      return .structure([])
    }
    let (first, documentation) = try fieldName()
    guard peek() == UInt8(ascii: ":") else { return .enumeration(try values(after: first)) }
    position += 1
    var fields = [InterfaceField(first, try type(), documentation: documentation)]
    while try takeCommaOrEnd() {
      let (name, documentation) = try fieldName()
      try take(":")
      fields.append(InterfaceField(name, try type(), documentation: documentation))
    }
    return .structure(fields)
  }

  private mutating func values(after first: String) throws(InterfaceError) -> [String] {
    var values = [first]
    while try takeCommaOrEnd() { values.append(try fieldName().name) }
    return values
  }

  private mutating func fieldName() throws(InterfaceError) -> (name: String, [String]) {
    let start = try peekSpot("a field")
    let documentation = takeComments()
    let name = takeWord()
    guard InterfaceName.isField(name.utf8) else { throw error(.malformedName(name), at: start) }
    return (name, documentation)
  }

  private mutating func takeCommaOrEnd() throws(InterfaceError) -> Bool {
    switch text[try peekSpot("a comma or )")] {
    case UInt8(ascii: ","):
      position += 1
      return true
    case UInt8(ascii: ")"):
      position += 1
      return false
    default: throw fail("a comma or )")
    }
  }

  // MARK: Words

  /// Steps over white space and comments; the next byte that is neither, nil at the end.
  private mutating func peek() -> UInt8? {
    var lineEnds = 0
    while position < text.count {
      switch text[position] {
      case UInt8(ascii: "\n"):
        // An empty line parts a comment from what follows: it describes nothing.
        lineEnds += 1
        if lineEnds > 1 { comments.removeAll() }
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "#"):
        let start = position + 1
        let isAlone = standsFirst(position)
        while position < text.count, text[position] != UInt8(ascii: "\n") { position += 1 }
        lineEnds = 0
        // Behind something on its line, a comment describes that, which has been read already.
        guard isAlone else { continue }
        var line = text[start..<position]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if line.first == UInt8(ascii: " ") { line.removeFirst() }
        comments.append(String(decoding: line, as: UTF8.self))
      default: return text[position]
      }
    }
    return nil
  }

  /// Whether only white space stands before a byte on its line.
  private func standsFirst(_ spot: Int) -> Bool {
    for byte in text[..<spot].reversed() {
      switch byte {
      case UInt8(ascii: "\n"): return true
      case UInt8(ascii: " "), UInt8(ascii: "\t"): continue
      default: return false
      }
    }
    return true
  }

  private mutating func takeComments() -> [String] {
    defer { comments = [] }
    return comments
  }

  private mutating func peekSpot(_ what: String) throws(InterfaceError) -> Int {
    guard peek() != nil else { throw error(.endBefore(what), at: position) }
    return position
  }

  private mutating func peekWord(_ what: String) throws(InterfaceError) -> String {
    _ = try peekSpot(what)
    var ahead = self
    return ahead.takeWord()
  }

  /// The word at the position, empty if none is there; comments before it have been used or are
  /// of no use.
  private mutating func takeWord() -> String {
    let start = position
    while position < text.count, InterfaceName.isWordByte(text[position]) { position += 1 }
    comments = []
    return String(decoding: text[start..<position], as: UTF8.self)
  }

  private mutating func take(_ sign: StaticString) throws(InterfaceError) {
    let start = try peekSpot(sign.description)
    for offset in 0..<sign.utf8CodeUnitCount {
      guard start + offset < text.count, text[start + offset] == sign.utf8Start[offset] else {
        throw fail(sign.description)
      }
    }
    position = start + sign.utf8CodeUnitCount
  }

  // MARK: Errors

  private func fail(_ what: String) -> InterfaceError {
    error(.expected(what), at: position)
  }

  private func error(_ reason: InterfaceError.Reason, at spot: Int) -> InterfaceError {
    var line = 1
    var lineStart = 0
    for index in 0..<spot where text[index] == UInt8(ascii: "\n") {
      line += 1
      lineStart = index + 1
    }
    return InterfaceError(reason, line: line, column: spot - lineStart + 1)
  }

  /// The error of a check, with the place of the name it is about.
  fileprivate func place(_ found: InterfaceError) -> InterfaceError {
    switch found.reason {
    case .repeatedName(let name): error(found.reason, at: spot(of: name, last: true))
    case .undefinedType(let name), .endlessType(let name):
      error(found.reason, at: spot(of: name, last: false))
    case .tooLong, .tooDeep, .endBefore, .expected, .malformedName, .repeatedOptional,
      .neitherStructNorEnumeration, .repeatedInterface:
      found
    }
  }

  private func spot(of name: String, last: Bool) -> Int {
    var scan = self
    scan.position = 0
    var found = 0
    while scan.peek() != nil {
      let start = scan.position
      let word = scan.takeWord()
      if word == name {
        found = start
        if !last { return found }
      }
      if word.isEmpty { scan.position += 1 }
    }
    return found
  }
}
