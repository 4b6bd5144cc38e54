import Client
import Testing

@Suite("Spans, money and addresses")
struct TextValueTests {
  @Test(
    "a span becomes an ISO 8601 duration",
    arguments: [
      ("1y", "P12M"), ("P1Y", "P12M"), ("1month 3d", "P1M3D"), ("36h", "PT129600S"),
      ("PT36H", "PT129600S"), ("2weeks", "P14D"), ("P1W", "P7D"), ("90", "PT90S"),
      ("1h30m", "PT5400S"), ("1M", "P1M"), ("1m", "PT60S"), ("P1Y2M3DT4H5M6S", "P14M3DT14706S"),
      ("1.5h", "PT5400S"), ("250ms", "PT0.250S"), ("0d", "PT0S"), ("1 year 1 month", "P13M"),
    ])
  func spans(text: String, iso8601: String) throws {
    #expect(try CalendarSpan(text).iso8601 == iso8601)
  }

  @Test(
    "what is no span is refused",
    arguments: [
      "", "P", "PT", "x", "1fortnight", "-1d", "1d 2d", "P1M1Y", "P1H", "PT1D", "1.5d",
      "99999999999y", "1y-",
    ])
  func refusals(text: String) {
    #expect(throws: TimeTextError.self) { try CalendarSpan(text) }
  }

  @Test(
    "milliunits become an amount with its currency",
    arguments: [
      (9990, "USD", "9.99 USD"), (0, "USD", "0.00 USD"), (900_000, "JPY", "900 JPY"),
      (900_500, "JPY", "900.50 JPY"), (1005, "EUR", "1.005 EUR"), (-9990, "USD", "-9.99 USD"),
      (990, "USD", "0.99 USD"), (10, "KWD", "0.01 KWD"),
    ] as [(Int64, String, String)])
  func money(milliunits: Int64, currency: String, text: String) {
    #expect(Money(milliunits: milliunits, currency: currency).description == text)
  }

  @Test("a socket path too long for the kernel is refused before anything is opened")
  func longPath() {
    let path = "/tmp/" + String(repeating: "d", count: 120) + "/s.sock"
    #expect(throws: TransportError.addressTooLong(path: path, bytes: 132, bytesMax: 107)) {
      try SocketAddress(path)
    }
    do {
      _ = try SocketAddress(path)
    } catch {
      for part in [path, "132", "107", "shorter"] { #expect(error.description.contains(part)) }
    }
    let longest = "/" + String(repeating: "d", count: 106)
    #expect(throws: Never.self) { try SocketAddress(longest) }
    #expect(throws: TransportError.addressEmpty) { try SocketAddress("") }
  }
}
