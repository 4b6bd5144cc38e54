import Time

/// A length of time as people say it: months, days and milliseconds, which do not convert into one
/// another. The daemon counts with it on the calendar.
public struct CalendarSpan: Hashable, Sendable {
  private let span: TimeSpan

  public var months: Int64 { Int64(span.months) }
  public var days: Int64 { Int64(span.days) }
  public var milliseconds: Int64 { span.milliseconds }

  /// Reads a span: ISO 8601 (`P1Y2M`, `PT36H`) or as systemd writes it (`1y`, `1month 3d`,
  /// `36h`; a number alone is seconds). Each unit stands once.
  public init(_ text: String) throws(TimeTextError) {
    do {
      span = try TimeText.span(text)
    } catch {
      throw .span(text)
    }
  }

  /// The span as an ISO 8601 duration, which is what the daemon takes.
  public var iso8601: String { span.iso8601 }
}
