import Foundation

/// Takes a message's values with how they are written and who may read them.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
  var parts: [OSLogMessage.Part] = []

  public init(literalCapacity: Int, interpolationCount: Int) {
    parts.reserveCapacity(interpolationCount * 2 + 1)
  }

  public mutating func appendLiteral(_ literal: String) {
    parts.append(.literal(literal))
  }

  private mutating func append(
    _ text: String, _ align: OSLogStringAlignment, _ privacy: OSLogPrivacy, asNumber: Bool
  ) {
    parts.append(.value(align.aligned(text), privacy.resolved(asNumber: asNumber)))
  }

  public mutating func appendInterpolation(
    _ text: String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(text, align, privacy, asNumber: false)
  }

  public mutating func appendInterpolation(
    _ number: some BinaryInteger, format: OSLogIntegerFormatting = .decimal,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(format.text(number), align, privacy, asNumber: true)
  }

  public mutating func appendInterpolation(
    _ number: Double, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(String(format: format.format, number), align, privacy, asNumber: true)
  }

  public mutating func appendInterpolation(
    _ number: Float, format: OSLogFloatFormatting = .fixed,
    align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(String(format: format.format, Double(number)), align, privacy, asNumber: true)
  }

  public mutating func appendInterpolation(
    _ truth: Bool, format: OSLogBoolFormat = .truth, privacy: OSLogPrivacy = .auto
  ) {
    append(format.text(truth), .none, privacy, asNumber: true)
  }

  /// Anything else, errors and types too, in its own words.
  @_disfavoredOverload
  public mutating func appendInterpolation<Value>(
    _ value: Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
  ) {
    append(String(describing: value), align, privacy, asNumber: false)
  }
}
