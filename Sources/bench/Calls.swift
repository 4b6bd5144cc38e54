/// The requests that the bench sends, as bytes.
enum Calls {
  static let terminator: UInt8 = 0

  /// A wire on which each request is made from its number.
  static func wire(_ request: @escaping (Int, inout [UInt8]) -> Void) -> LoadProtocol {
    LoadProtocol(terminator: terminator, terminatorsPerReply: 1, request: request)
  }

  static func account(_ number: Int) -> String {
    "user-\(number)"
  }

  static func purchase(from first: Int) -> LoadProtocol {
    wire { number, bytes in
      append(
        "org.renewd.Store.Purchase",
        #"{"account":"\#(account(first + number))","productId":"pro.monthly"}"#, to: &bytes)
    }
  }

  /// Asks for one of `accounts` at random, always in the same order.
  static func poll(_ method: String, accounts: Int) -> LoadProtocol {
    wire { number, bytes in
      append(method, #"{"account":"\#(account(scattered(number, accounts)))"}"#, to: &bytes)
    }
  }

  static func scattered(_ number: Int, _ count: Int) -> Int {
    var mixed = UInt64(number) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 32
    return Int(mixed % UInt64(count))
  }

  static func append(_ method: String, _ parameters: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"{"method":"\#(method)","parameters":\#(parameters)}"#.utf8)
    bytes.append(terminator)
  }
}
