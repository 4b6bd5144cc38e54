import Varlink

extension FieldCoder {
  /// A time in milliseconds since 1970 UTC.
  mutating func time(_ name: StaticString, _ value: inout Timestamp) throws(Failure) {
    try integer(name, &value.milliseconds)
  }

  mutating func time(_ name: StaticString, _ value: inout Timestamp?) throws(Failure) {
    var milliseconds = value?.milliseconds
    try integer(name, &milliseconds)
    value = milliseconds.map(Timestamp.init(milliseconds:))
  }

  mutating func status(_ name: StaticString, _ value: inout SubscriptionStatus) throws(Failure) {
    var number = value.rawValue
    try integer(name, &number)
    value = SubscriptionStatus(rawValue: number)
  }

  mutating func status(_ name: StaticString, _ value: inout SubscriptionStatus?) throws(Failure) {
    var number = value?.rawValue
    try integer(name, &number)
    value = number.map(SubscriptionStatus.init(rawValue:))
  }
}
