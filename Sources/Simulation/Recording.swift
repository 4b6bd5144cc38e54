import Engine

/// What came into an engine since it began, and what it wanted done and sent for it. Given to
/// another engine that begins from the same log, the same inputs come to the same.
public struct Recording {
  private var steps: [Step] = []
  /// What was sent since the last input.
  private var sending: [UInt8] = []

  private struct Step {
    var input: Input
    var outputs: [Output]
    /// The bytes that were sent before the input.
    var sent: [UInt8]
  }

  public init() {}

  public var count: Int { steps.count }

  /// The same without one of the inputs, to see that it is missed.
  public func without(_ index: Int) -> Recording {
    var recording = self
    recording.steps.remove(at: index)
    return recording
  }

  mutating func sends(_ bytes: UnsafeRawBufferPointer) {
    sending = Array(bytes)
  }

  mutating func note(_ input: Input, _ outputs: [Output]) {
    var input = input
    if case .received(let id, let bytes, let count) = input {
      input = .received(id, Array(bytes[..<count]), count: count)
    }
    steps.append(Step(input: input, outputs: outputs, sent: sending))
    sending = []
  }

  /// Gives the inputs to an engine, which does `atStart` behind the first; how it differs from what
  /// was recorded, nil for not at all.
  func replay(on engine: Engine, atStart: (Engine) -> Void) -> String? {
    for (index, step) in steps.enumerated() {
      if case .sent(let id, let count) = step.input {
        let sent = engine.withOutput(of: id) { Array($0.prefix(count)) } ?? []
        guard sent == step.sent else {
          return "before input \(index) \(Self.text(sent)) is sent, and not \(Self.text(step.sent))"
        }
      }
      let outputs = engine.step(step.input)
      guard "\(outputs)" == "\(step.outputs)" else {
        return "input \(index), \(step.input), comes to \(outputs), and not to \(step.outputs)"
      }
      if index == 0 { atStart(engine) }
    }
    return nil
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
