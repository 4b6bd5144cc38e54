import JSON
import Testing
import Varlink

/// One list of fields reads, writes and describes.
@Suite("Fields")
struct FieldsTests {
  private struct Colour: Word {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }

    static let red = Colour(rawValue: "red")
    static let known = [red, Colour(rawValue: "blue")]
  }

  private struct Size: NamedWord {
    static let typeName = "Size"
    static let about = "How large."
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }

    static let known = [Size(rawValue: "small"), Size(rawValue: "large")]
  }

  private struct Part: NamedFields, Equatable {
    static let typeName = "Part"
    static let about = "A part."
    var name = ""
    var weight: Int64?

    mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("name", &name)
      try coder.integer("weight", &weight)
    }
  }

  private struct Thing: Fields, Equatable {
    var id: Int64 = 0
    var title: String?
    var isNew = false
    var isOld: Bool?
    var colour = Colour(rawValue: "")
    var size: Size?
    var tags: [String] = []
    var notes: [String]?
    var extra: String?
    var main = Part()
    var spare: Part?
    var parts: [Part] = []
    var origin: Colour?
    var isMarked = false
    var lacks: [String] = []

    mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.integer("id", &id)
      try coder.text("title", &title)
      try coder.flag("new", &isNew)
      try coder.flag("old", &isOld)
      try coder.word("colour", &colour)
      try coder.word("size", &size)
      try coder.texts("tags", &tags)
      try coder.texts("notes", &notes)
      try coder.object("extra", &extra)
      try coder.value("main", &main)
      try coder.value("spare", &spare)
      try coder.values("parts", &parts)
      try coder.open("origin", &origin)
      try coder.mark("marked", &isMarked)
      try coder.textsIfAny("lacks", &lacks)
    }
  }

  private static let full =
    #"{"id":7,"title":"t","new":true,"old":false,"colour":"red","#
    + #""size":"small","tags":["a","b"],"notes":[],"extra":{"x":[1,null]},"#
    + #""main":{"name":"m","weight":3},"spare":{"name":"s"},"parts":[{"name":"p"}],"#
    + #""origin":"moon","marked":true,"lacks":["y"]}"#

  private static let least =
    #"{"id":7,"new":false,"colour":"blue","tags":[],"main":{"name":"m"},"parts":[]}"#

  private func thing(_ text: String) throws -> Thing {
    let value = try JSONValue.parse(Array(text.utf8), depthMax: 16)
    return try Thing(try #require(value.objectValue))
  }

  private func text(_ fields: some Fields) -> String {
    var writer = JSONWriter()
    fields.write(into: &writer)
    return String(decoding: writer.take(), as: UTF8.self)
  }

  @Test("What is read is written again, letter for letter", arguments: [full, least])
  func roundTrip(json: String) throws {
    #expect(text(try thing(json)) == json)
  }

  @Test("Values are what was written")
  func values() throws {
    let thing = try thing(Self.full)
    #expect(thing.id == 7 && thing.title == "t" && thing.isNew && thing.isOld == false)
    #expect(thing.colour == .red && thing.size?.rawValue == "small")
    #expect(thing.origin?.rawValue == "moon")
    #expect(thing.notes == [] && thing.extra == #"{"x":[1,null]}"# && thing.lacks == ["y"])
    #expect(
      thing.main
        == Part {
          $0.name = "m"; $0.weight = 3
        } && thing.spare?.name == "s")
  }

  @Test("null stands for a field that is not there, and members that are not known are passed over")
  func lenient() throws {
    let json = Self.least.dropLast() + #","title":null,"spare":null,"later":{"a":1}}"#
    #expect(try thing(String(json)) == thing(Self.least))
  }

  @Test("A word that is not known is kept")
  func words() throws {
    #expect(try thing(Self.least.replacing("blue", with: "green")).colour.rawValue == "green")
  }

  @Test(
    "What is missing or wrong is named with its path",
    arguments: [
      (#""id":7"#, #""id":"7""#, "id", "an integer"),
      (#""id":7,"#, "", "id", "an integer"),
      (#""new":false"#, #""new":0"#, "new", "true or false"),
      (#""tags":[]"#, #""tags":[1]"#, "tags", "an array of strings"),
      (#""tags":[]"#, #""tags":{}"#, "tags", "an array"),
      (#"{"name":"m"}"#, #"{"name":null}"#, "main.name", "a string"),
      (#"{"name":"m"}"#, "[]", "main", "an object"),
      (#""parts":[]"#, #""parts":[{"name":"a"},{"name":1}]"#, "parts[1].name", "a string"),
      (#""parts":[]"#, #""parts":[3]"#, "parts", "an array of objects"),
      (#""parts":[]"#, #""parts":[],"size":5"#, "size", "a string"),
      (#""parts":[]"#, #""parts":[],"extra":5"#, "extra", "an object"),
    ])
  func faults(right: String, wrong: String, path: String, expected: String) throws {
    #expect(throws: FieldFault(path: path, expected: expected)) {
      try thing(Self.least.replacing(right, with: wrong))
    }
  }

  @Test("The description has each field with its type, in order")
  func description() {
    let described = Thing().fields.map { "\($0.name): \($0.type.text)" }
    #expect(
      described == [
        "id: int", "title: ?string", "new: bool", "old: ?bool", "colour: (red, blue)",
        "size: ?Size", "tags: []string", "notes: ?[]string", "extra: ?object", "main: Part",
        "spare: ?Part", "parts: []Part", "origin: ?string", "marked: ?bool", "lacks: ?[]string",
      ])
    #expect(Part.definition.text == "(name: string, weight: ?int)")
    #expect(Size.definition.text == "(small, large)")
  }
}
