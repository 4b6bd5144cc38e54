import JSON
import Subscriptions
import Varlink

/// `Testing.GetRate` and `Testing.SetRate`: how fast subscriptions run.
extension Engine {
  func getRate(_ call: CallContext) -> Outcome {
    let rate = state.rate(configuration.policies)
    let sequence = state.sequence
    reply(to: call.session, after: sequence) { writer in
      VarlinkReply.begin(&writer)
      writer.member("rate", rate.name)
      writer.member("configured", configuration.policies.renewalRate.name)
      writer.member("isSet", flag: state.rateSwitch != nil)
      writer.key("lengths")
      writer.beginArray()
      if let lengths = RateLengths(rate) { write(lengths, into: &writer) }
      writer.endArray()
      writer.member("sequence", sequence: sequence)
      VarlinkReply.end(&writer)
    }
    return .answered
  }

  private func write(_ lengths: RateLengths, into writer: inout JSONWriter) {
    func write(_ name: String, _ milliseconds: Int64) {
      writer.beginObject()
      writer.member("name", name)
      writer.member("milliseconds", int: milliseconds)
      writer.endObject()
    }
    for name in ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"] {
      if let period = Period(iso8601: name) { write(name, lengths.length(of: period)) }
    }
    write("weeklyGrace", lengths.weeklyGrace)
    write("grace", lengths.grace)
    write("billingRetry", lengths.billingRetry)
  }

  func setRate(_ call: CallContext) throws(Refusal) -> Outcome {
    var rate: RenewalRate?
    if let name = call.parameters.text("rate") {
      guard let known = RenewalRate(name: name) else { throw .parameter("rate") }
      rate = known
    }
    return try changeSwitches(call, .setRate(rate))
  }
}
