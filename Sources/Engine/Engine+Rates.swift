import Contract
import Subscriptions

/// `Testing.GetRate` and `Testing.SetRate`: how fast subscriptions run.
extension Engine {
  func getRate(_ asked: TestingInterface.GetRate, _ call: CallContext) -> Outcome {
    let rate = state.rate(configuration.policies)
    let sequence = state.sequence
    answer(
      call.session, after: sequence,
      RateAnswer {
        $0.rate = Contract.RenewalRate(rawValue: rate.name)
        $0.configured = Contract.RenewalRate(rawValue: configuration.policies.renewalRate.name)
        $0.isSet = state.rateSwitch != nil
        $0.lengths = RateLengths(rate)?.described ?? []
        $0.sequence = Int64(sequence)
      })
    return .answered
  }

  func setRate(
    _ asked: TestingInterface.SetRate, _ call: CallContext
  ) throws(Refusal) -> Outcome {
    var rate: RenewalRate?
    if let word = asked.rate {
      guard let known = RenewalRate(name: word.rawValue) else { throw .parameter("rate") }
      rate = known
    }
    return try changeSwitches(call, .setRate(rate))
  }
}

extension RateLengths {
  /// The lengths by the names that the interface has for them.
  fileprivate var described: [RateLength] {
    let periods = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"].compactMap { name in
      Period(iso8601: name).map { (name, length(of: $0)) }
    }
    let others = [
      ("weeklyGrace", weeklyGrace), ("grace", grace), ("billingRetry", billingRetry),
    ]
    return (periods + others).map { name, milliseconds in
      RateLength {
        $0.name = name
        $0.milliseconds = milliseconds
      }
    }
  }
}
