internal import AppStore
import Foundation

/// What the store signs, read from its signed form.
protocol SignedValue {
  /// The fields of the payload without which it says nothing.
  static var requiredFields: [String] { get }

  /// Reads it, whatever it is worth: a field that is missing is empty.
  init(_ signed: SignedForm)

  /// Checks its signed form; throws why it is not to be believed.
  func check(
    by verifier: PayloadVerifier, _ signed: CompactJWS) throws(VerificationFailure)

  var signed: SignedForm { get }
  var signedDate: Date { get }
  var deviceVerification: Data { get }
  var deviceVerificationNonce: UUID { get }
}

extension Transaction: SignedValue {}
extension Product.SubscriptionInfo.RenewalInfo: SignedValue {}

extension VerificationResult where SignedType: SignedValue {
  fileprivate var form: SignedForm { unsafePayloadValue.signed }
}

extension VerificationResult where SignedType == Transaction {
  /// The signed form: a compact JWS.
  public var jwsRepresentation: String { form.text }
  public var headerData: Data { form.header }
  public var payloadData: Data { form.payload.data }
  public var signatureData: Data { form.signature }
  /// What the signature is of.
  public var signedData: Data { form.signed }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == Product.SubscriptionInfo.RenewalInfo {
  /// The signed form: a compact JWS.
  public var jwsRepresentation: String { form.text }
  public var headerData: Data { form.header }
  public var payloadData: Data { form.payload.data }
  public var signatureData: Data { form.signature }
  /// What the signature is of.
  public var signedData: Data { form.signed }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}

extension VerificationResult where SignedType == AppTransaction {
  /// The signed form: a compact JWS.
  public var jwsRepresentation: String { form.text }
  public var headerData: Data { form.header }
  public var payloadData: Data { form.payload.data }
  public var signatureData: Data { form.signature }
  /// What the signature is of.
  public var signedData: Data { form.signed }
  public var signedDate: Date { unsafePayloadValue.signedDate }
  public var deviceVerification: Data { unsafePayloadValue.deviceVerification }
  public var deviceVerificationNonce: UUID { unsafePayloadValue.deviceVerificationNonce }
}
