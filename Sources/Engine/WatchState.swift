import Subscriptions

/// A watch is a cursor over the log, never a queue: what its reader has not taken yet is read
/// again from memory or from the log.
struct WatchState {
  /// What of the log it is about.
  enum Filter: Equatable {
    case all
    /// The account's events, by its exact text: a reset gives the text a new number.
    case account([UInt8])
    /// The events of an advance of a clock; the watch ends with it.
    case advance(ClockNumber)
  }

  /// The last event looked at; the next one is the first that may be sent.
  var cursor: UInt64
  var filter: Filter
  /// The cursor as the reader knows it.
  var toldCursor: UInt64
  /// When the reader was last sent anything, on the machine's clock.
  var toldAt: Int64 = 0
  /// The next line of the present state that is to be sent, before any event.
  var nextLine: LineNumber?
  /// Lines from here on began after the seam, and come as events.
  var endLine: LineNumber = 0
  /// The account's lines that are to be sent, where the watch is an account's.
  var pendingLines: [LineNumber] = []
  /// The sequence of the seam, until it has been sent.
  var seam: UInt64?
  /// Where an advance ended, once it has.
  var advanceEnd: (first: UInt64, events: UInt64, sequence: UInt64)?
  /// The log is being read for it.
  var isReading = false
  /// Whether what it sends comes with its signed forms.
  var isSigned = false
  /// Events read for the signed texts of the next line of the present state.
  var texts: [StoredEvent] = []

  init(cursor: UInt64, filter: Filter) {
    self.cursor = cursor
    self.filter = filter
    toldCursor = cursor
  }
}
