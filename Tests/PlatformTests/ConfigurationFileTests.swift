import Testing

@testable import Platform

@Suite("Configuration files in systemd's form")
struct ConfigurationFileTests {
  private func read(_ text: String) throws(ConfigurationError) -> ConfigurationFile {
    try ConfigurationFile(path: "r.conf", bytes: Array(text.utf8))
  }

  @Test("sections, keys, comments, blanks and continued lines are read with their lines")
  func reading() throws {
    let file = try read(
      """
      # a comment
      ; another

      [daemon]
        socket =  /run/a b.sock\u{20}
      policy=monthEnd=chained \\
      # inside a continued line
        calendarTimeZone=UTC
      bundle-id=
      [entitlement gold plus]\r
      products = a b
      """)
    #expect(
      file.sections == [
        .init(
          name: "daemon", argument: "", line: 4,
          entries: [
            .init(key: "socket", value: "/run/a b.sock", line: 5),
            .init(key: "policy", value: "monthEnd=chained calendarTimeZone=UTC", line: 6),
            .init(key: "bundle-id", value: "", line: 9),
          ]),
        .init(
          name: "entitlement", argument: "gold plus", line: 10,
          entries: [.init(key: "products", value: "a b", line: 11)]),
      ])
  }

  @Test(
    "what is not of that form is named with file and line",
    arguments: [
      ("a = b\n", "r.conf:1: a stands before any [section]"),
      ("[daemon]\nword\n", "r.conf:2: neither [section] nor key = value: word"),
      ("[daemon\n", "r.conf:1: a section ends with ]"),
      ("\n[ ]\n", "r.conf:2: a section has a name"),
      ("[daemon]\n = b\n", "r.conf:2: there is no key before the ="),
    ])
  func refusal(text: String, message: String) {
    #expect(throws: ConfigurationError(message)) { try read(text) }
  }

  @Test("bytes that are no text are refused, an empty file is not")
  func bytes() throws {
    #expect(throws: ConfigurationError("r.conf: not a text in UTF-8")) {
      try ConfigurationFile(path: "r.conf", bytes: [0x5B, 0xFF])
    }
    #expect(throws: ConfigurationError("r.conf: not a text in UTF-8")) {
      try ConfigurationFile(path: "r.conf", bytes: [0x5B, 0])
    }
    #expect(try read("").sections.isEmpty)
  }

  @Test("no cut of a file and no changed byte stops the reader")
  func mutations() {
    let text = Array("[daemon]\nsocket = /a\\\n b\n; c\n[entitlement x]\nproducts=a\n".utf8)
    for place in text.indices {
      for byte: UInt8 in [0, 0x0A, 0x20, 0x3D, 0x5B, 0x5C, 0x5D, 0xFF] {
        var changed = text
        changed[place] = byte
        _ = try? ConfigurationFile(path: "r.conf", bytes: changed)
        _ = try? ConfigurationFile(path: "r.conf", bytes: Array(changed[...place]))
      }
    }
  }
}
