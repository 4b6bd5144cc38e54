import Testing
import Varlink

@Suite("Interface descriptions")
struct InterfaceTests {
  private func parse(_ text: String) throws(InterfaceError) -> InterfaceDescription {
    try InterfaceDescription.parse(text)
  }

  /// The reason and place of the refusal of an interface with these lines behind its first.
  private func refusal(_ members: String) -> String? {
    do throws(InterfaceError) {
      _ = try parse("interface a.b\n" + members)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("every form of type is read")
  func types() throws {
    let interface = try parse(
      """
      interface org.example.all
      type T (b: bool, i: int, f: float, s: string, o: object, t: ?U, e: (one, two),
        a: []int, m: [string]string, set: [string](), deep: ?[]?[string](x: int), n: ())
      type U (one, Two, three_3)
      method M(a: T) -> ()
      method N() -> (u: []U)
      error E ()
      error F(why: string)
      """)
    #expect(
      interface.type(named: "T")
        == .structure([
          InterfaceField("b", .bool), InterfaceField("i", .int), InterfaceField("f", .float),
          InterfaceField("s", .string), InterfaceField("o", .object),
          InterfaceField("t", .optional(.named("U"))),
          InterfaceField("e", .enumeration(["one", "two"])), InterfaceField("a", .array(.int)),
          InterfaceField("m", .map(.string)), InterfaceField("set", .map(.structure([]))),
          InterfaceField(
            "deep",
            .optional(.array(.optional(.map(.structure([InterfaceField("x", .int)])))))),
          InterfaceField("n", .structure([])),
        ]))
    #expect(interface.type(named: "U") == .enumeration(["one", "Two", "three_3"]))
    #expect(interface.method(named: "M")?.input == [InterfaceField("a", .named("T"))])
    #expect(interface.method(named: "M")?.output == [])
    #expect(interface.error(named: "E") == [])
    #expect(interface.error(named: "F") == [InterfaceField("why", .string)])
    #expect(interface.methodNames == ["M", "N"])
    #expect(interface.type(named: "M") == nil && interface.method(named: "T") == nil)
  }

  @Test("comments describe what stands below them; an empty line or a line's start parts them")
  func comments() throws {
    let interface = try parse(
      """
      # left alone

      # The interface.
      #
      #  Indented.
      interface a.b # not this

      # The type.
      type T ( # nor this
        # The field.
        x: int, # nor this either
        y: int
      )
      """)
    #expect(interface.documentation == ["The interface.", "", " Indented."])
    #expect(interface.members[0].documentation == ["The type."])
    #expect(
      interface.type(named: "T")
        == .structure([
          InterfaceField("x", .int, documentation: ["The field."]), InterfaceField("y", .int),
        ]))
  }

  @Test("the canonical text breaks long structs, keeps comments, and reads back the same")
  func canonicalText() throws {
    let text = """
      # Memberships.
      interface org.renewd.Membership

      type Short (a: int)

      type Long (
        # The account.
        account: string,
        subscriptions: []Short,
        kind: (aVeryLongValue, anotherVeryLongValue, yetAnotherLongValue),
        nested: ?[](
          # Inside.
          a: int
        )
      )

      # The poller's call.
      method Check(account: string, productId: ?string, entitlement: ?string) -> (
        entitled: bool,
        status: ?int
      )

      error Nothing ()

      """
    let interface = try parse(text)
    #expect(interface.text == text)
    #expect(try parse(interface.text) == interface)
    let service = try parse(VarlinkService.serviceText)
    #expect(try parse(service.text) == service)
  }

  @Test("text that breaks the grammar is refused by line, column and what was expected")
  func syntax() {
    #expect(refusal("type T (a int)") == "line 2, column 11: expected a comma or )")
    #expect(refusal("type T (a: int") == "line 2, column 15: the text ends before a comma or )")
    #expect(refusal("type T (a: int, )") == "line 2, column 17: '' is not a name here")
    #expect(refusal("type T (a: int, b)") == "line 2, column 18: expected :")
    #expect(refusal("type T (a, b: int)") == "line 2, column 13: expected a comma or )")
    #expect(refusal("type T (a: integer)") == "line 2, column 12: expected a type")
    #expect(
      refusal("type T (a: ??int)") == "line 2, column 13: an optional cannot be optional again")
    #expect(refusal("type T (a: [int]int)") == "line 2, column 16: expected [] or [string]")
    #expect(refusal("type T (a: [string int)") == "line 2, column 20: expected ]")
    #expect(refusal("type T int") == "line 2, column 8: expected (")
    #expect(refusal("type t ()") == "line 2, column 6: 't' is not a name here")
    #expect(refusal("type T (_a: int)") == "line 2, column 9: '_a' is not a name here")
    #expect(refusal("type T (a_: int)") == "line 2, column 9: 'a_' is not a name here")
    #expect(refusal("type T (a__b: int)") == "line 2, column 9: 'a__b' is not a name here")
    #expect(refusal("method M() ()") == "line 2, column 12: expected ->")
    #expect(refusal("method M(a, b) -> ()") == "line 2, column 9: expected fields with types")
    #expect(refusal("\nfunction F()") == "line 3, column 1: expected type, method or error")
    #expect(refusal("type") == "line 2, column 5: the text ends before a name")
    #expect(refusal("error E") == "line 2, column 8: the text ends before (")
    #expect(refusal("type T (a: int) §") == "line 2, column 17: expected type, method or error")
  }

  @Test("the first line must name the interface")
  func names() {
    for name in ["a.b", "org.varlink.service", "a-b.c--d", "A.1", "xn--a.b2"] {
      #expect(throws: Never.self) { try parse("interface \(name)") }
    }
    for name in ["a", ".a", "a.", "a..b", "1.a", "-a.b", "a-.b", "a.-b", "a.b-", "a_b.c", ""] {
      #expect(throws: InterfaceError.self, "\(name)") { try parse("interface \(name)") }
    }
    #expect(throws: InterfaceError(.endBefore("the word interface"), line: 1, column: 1)) {
      try parse("")
    }
    #expect(throws: InterfaceError(.expected("interface"), line: 1, column: 1)) {
      try parse("type T ()")
    }
  }

  @Test("a name that stands twice or is not defined is refused where it stands")
  func meaning() {
    #expect(refusal("type T ()\nmethod T() -> ()") == "line 3, column 8: T is defined twice")
    #expect(refusal("error E ()\nerror E ()") == "line 3, column 7: E is defined twice")
    #expect(refusal("type T (a: int, a: int)") == "line 2, column 17: a is defined twice")
    #expect(refusal("type T (one, one)") == "line 2, column 14: one is defined twice")
    #expect(refusal("method M(x: []?U) -> ()") == "line 2, column 16: the type U is not defined")
    #expect(refusal("error E (x: E)") == "line 2, column 7: the type E is not defined")
    #expect(
      refusal("method M() -> (x: (y: [string]V))") == "line 2, column 31: the type V is not defined"
    )
  }

  @Test("a struct may hold itself only behind an optional, array or map")
  func endlessTypes() {
    #expect(refusal("type T (t: ?T, u: []T, v: [string]T)") == nil)
    #expect(refusal("type T (u: U)\ntype U (a: ?T)") == nil)
    #expect(refusal("type T (t: T)") == "line 2, column 6: T holds itself without end")
    #expect(
      refusal("type T (u: (v: U))\ntype U (t: T)") == "line 2, column 6: T holds itself without end"
    )
    #expect(refusal("type A (b: B, c: C)\ntype B (c: C)\ntype C ()") == nil)
  }

  @Test("a model made by hand is held to the same rules")
  func models() {
    func check(_ members: [InterfaceDescription.Member], name: String = "a.b") -> InterfaceError? {
      do throws(InterfaceError) {
        try InterfaceDescription(name: name, members: members).check()
        return nil
      } catch {
        return error
      }
    }
    typealias Member = InterfaceDescription.Member
    #expect(check([]) == nil)
    #expect(check([], name: "a") == InterfaceError(.malformedName("a")))
    #expect(
      check([Member(name: "T", definition: .type(.int))])
        == InterfaceError(.neitherStructNorEnumeration("T")))
    #expect(
      check([Member(name: "t", definition: .error([]))]) == InterfaceError(.malformedName("t")))
    #expect(
      check([
        Member(name: "E", definition: .error([InterfaceField("x", .optional(.optional(.int)))]))
      ])
        == InterfaceError(.repeatedOptional))
  }

  @Test("size and depth are allowed to the limit and refused one past it")
  func limits() {
    let line = "interface a.b\n"
    let padding = VarlinkLimits.descriptionBytesMax - line.utf8.count - 1
    let atLimit = line + "#" + String(repeating: "x", count: padding)
    #expect(throws: Never.self) { try parse(atLimit) }
    #expect(throws: InterfaceError(.tooLong)) { try parse(atLimit + "x") }
    let levels = String(repeating: "[]", count: VarlinkLimits.typeDepthMax - 1)
    #expect(refusal("type T (a: \(levels)int)") == nil)
    #expect(
      refusal("type T (a: []\(levels)int)")?.hasSuffix("types nest more than 32 deep") == true)
    let open = String(repeating: "(a: ", count: VarlinkLimits.typeDepthMax + 2)
    #expect(refusal("type T \(open)")?.hasSuffix("types nest more than 32 deep") == true)
  }

  @Test("damaged descriptions are read or refused, never more, and what is read reads back")
  func fuzz() {
    var random = SeededRandom(seed: 9)
    let text =
      VarlinkService.serviceText + """
        type T (b: bool, t: ?T, e: (one, two), a: []int, m: [string]string, d: ?[]?[string](x: int))
        """
    var read = 0
    for _ in 0..<5000 {
      var bytes = Array(text.utf8)
      random.damage(&bytes, signs: "()[]?:,->#\n _aT")
      guard let interface = try? parse(String(decoding: bytes, as: UTF8.self)) else { continue }
      read += 1
      #expect((try? parse(interface.text)) == interface)
    }
    #expect(read > 300 && read < 4500, "the damage is too much or too little: \(read)")
  }
}
