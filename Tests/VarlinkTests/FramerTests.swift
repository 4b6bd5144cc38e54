import Testing
import Varlink

@Suite("Cutting a stream into messages")
struct FramerTests {
  /// All messages that can be had now.
  private func drain(_ framer: inout VarlinkFramer) throws(VarlinkError) -> [String] {
    var messages: [String] = []
    while let range = try framer.next() {
      messages.append(String(decoding: framer.buffer[range], as: UTF8.self))
    }
    return messages
  }

  private let stream = Array("{\"method\":\"a.B\"}\0\0x\0{\"a long one\":1234567890}\0rest".utf8)
  private let expected = ["{\"method\":\"a.B\"}", "", "x", "{\"a long one\":1234567890}"]

  @Test("a stream cut in two at any byte gives the same messages, each as soon as its NUL is there")
  func cuts() throws {
    for cut in 0...stream.count {
      var framer = VarlinkFramer()
      framer.append(stream.span.extracting(0..<cut))
      let first = try drain(&framer)
      #expect(first.count == stream[..<cut].count { $0 == 0 })
      framer.append(stream.span.extracting(cut..<stream.count))
      #expect(first + (try drain(&framer)) == expected)
      #expect(framer.pendingBytes == 4)
    }
  }

  @Test("a stream that comes byte by byte, or is taken only at the end, gives the same messages")
  func bytes() throws {
    var eager = VarlinkFramer()
    var late = VarlinkFramer()
    var messages: [String] = []
    for byte in stream {
      eager.append([byte].span)
      [byte].withUnsafeBytes { late.append($0) }
      messages += try drain(&eager)
    }
    #expect(messages == expected)
    #expect(try drain(&late) == expected)
  }

  @Test("bytes can be received straight into the buffer")
  func receiving() throws {
    var framer = VarlinkFramer()
    framer.append(bytesMax: 100) { span in
      for byte in stream { span.append(byte) }
    }
    #expect(try drain(&framer) == expected)
    #expect(framer.pendingBytes == 4)
  }

  @Test("a message at the limit passes, one byte more is refused, with and without its NUL")
  func limits() throws {
    for bytesMax in [1, 7, 8, 9, 64, VarlinkLimits.requestBytesMax] {
      let message = [UInt8](repeating: 0x61, count: bytesMax)
      var framer = VarlinkFramer(messageBytesMax: bytesMax)
      framer.append(message.span)
      #expect(try framer.next() == nil)
      framer.append([0].span)
      #expect(try framer.next() == 0..<bytesMax)
      framer.append(message.span)
      framer.append([0x61].span)
      for _ in 0..<2 {
        #expect(throws: VarlinkError.messageTooLong(bytesMax: bytesMax)) { try framer.next() }
      }
      var whole = VarlinkFramer(messageBytesMax: bytesMax)
      whole.append(([0x62, 0] + message + [0x61, 0]).span)
      #expect(try whole.next() == 0..<1, "what came before is still handed out")
      #expect(throws: VarlinkError.messageTooLong(bytesMax: bytesMax)) { try whole.next() }
    }
  }

  @Test("the limit may be raised while a long message arrives")
  func raisedLimit() throws {
    var framer = VarlinkFramer(messageBytesMax: 4)
    framer.append(Array("12345".utf8).span)
    #expect(throws: VarlinkError.messageTooLong(bytesMax: 4)) { try framer.next() }
    framer.messageBytesMax = 8
    framer.append(Array("678\0".utf8).span)
    #expect(try framer.next() == 0..<8)
  }

  @Test("the memory of a long message is given back once the connection is idle")
  func memory() throws {
    var framer = VarlinkFramer(messageBytesMax: 1 << 20)
    framer.append([UInt8](repeating: 0x61, count: 1 << 20).span)
    framer.append([0].span)
    _ = try framer.next()
    framer.append([0x61].span)
    #expect(framer.buffer.capacity < 1 << 10)
    #expect(framer.buffer.count == 1)
  }

  @Test("a backlog is handed out without moving it again and again")
  func backlog() throws {
    // Each turn takes one message and receives another: if every turn moved the 100,000 waiting
    // messages, this would move 10^11 bytes and the test would never end.
    var framer = VarlinkFramer()
    let message = Array("0123456789\0".utf8)
    for _ in 0..<100_000 { framer.append(message.span) }
    for _ in 0..<100_000 {
      let range = try #require(try framer.next())
      #expect(range.count == 10)
      framer.append(message.span)
    }
    #expect(framer.pendingBytes == 100_000 * 11)
    #expect(framer.buffer.count <= 2 * 100_000 * 11 + 11)
  }

  @Test("random streams in random pieces give what splitting at NUL gives")
  func randomStreams() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<2000 {
      let bytes = (0..<random.below(300)).map { _ in UInt8(random.pick([0, 1, 0x61, 0x80, 0xff])) }
      var framer = VarlinkFramer()
      var messages: [[UInt8]] = []
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + 1 + random.below(40))
        framer.append(bytes.span.extracting(start..<end))
        for _ in 0..<random.below(6) {
          if let range = try framer.next() { messages.append(Array(framer.buffer[range])) }
        }
        start = end
      }
      while let range = try framer.next() { messages.append(Array(framer.buffer[range])) }
      let pieces = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
      #expect(messages == pieces.dropLast())
      #expect(framer.pendingBytes == pieces.last?.count ?? 0)
    }
  }
}
