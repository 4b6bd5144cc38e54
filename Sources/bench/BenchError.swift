/// What keeps the bench from measuring; the text says what to do.
struct BenchError: Error {
  var message: String

  init(_ message: String) {
    self.message = message
  }
}
