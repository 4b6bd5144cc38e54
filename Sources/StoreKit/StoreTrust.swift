internal import AppStore
internal import Client
internal import Crypto
import Foundation

/// Checks what the store signed, here in the client: its chain against the daemon's root, its
/// signature, and that it is of the daemon's app and environment.
struct StoreTrust: Sendable {
  private let verifier: PayloadVerifier

  init(_ trust: Trust) throws {
    verifier = PayloadVerifier(
      trust: .roots(try JWSVerifier(roots: trust.roots())), bundleID: trust.bundleID,
      appAppleID: trust.appAppleID, environment: Open(raw: trust.environment))
  }

  /// Reads a signed form and checks it. One that is missing is not verified, nor is one whose check
  /// a tester makes fail with an error of that name.
  func result<Value: SignedValue>(
    _ text: String, failing simulatedError: String?
  ) -> VerificationResult<Value> {
    let value = Value(SignedForm(text: text))
    do throws(VerificationFailure) {
      try value.check(by: verifier, CompactJWS(text))
    } catch {
      return .unverified(value, VerificationResult<Value>.VerificationError(error))
    }
    guard value.signed.payload.has(Value.requiredFields) else {
      return .unverified(value, .missingRequiredProperties)
    }
    typealias Failure = VerificationResult<Value>.VerificationError
    if let simulated = Failure.allCases.first(where: { "\($0)" == simulatedError }) {
      return .unverified(value, simulated)
    }
    return .verified(value)
  }

  func result(of told: Client.Transaction) -> VerificationResult<Transaction> {
    result(told.signedTransactionInfo ?? "", failing: told.verificationError)
  }

  func result(of told: SignedTransaction) -> VerificationResult<Transaction> {
    result(told.signedTransactionInfo, failing: told.verificationError)
  }

  func result(
    of told: Client.RenewalInfo?
  ) -> VerificationResult<Product.SubscriptionInfo.RenewalInfo> {
    result(told?.signedRenewalInfo ?? "", failing: told?.verificationError)
  }
}

extension SignedValue {
  /// When certificates must be valid where the payload has no date: now.
  fileprivate static var now: Int64 { Int64(Date.now.timeIntervalSince1970 * 1000) }
}

extension Transaction {
  func check(
    by verifier: PayloadVerifier, _ signed: CompactJWS
  ) throws(VerificationFailure) {
    _ = try verifier.transaction(signed, now: .init(milliseconds: Self.now))
  }
}

extension Product.SubscriptionInfo.RenewalInfo {
  func check(
    by verifier: PayloadVerifier, _ signed: CompactJWS
  ) throws(VerificationFailure) {
    _ = try verifier.renewalInfo(signed, now: .init(milliseconds: Self.now))
  }
}

extension AppTransaction {
  func check(
    by verifier: PayloadVerifier, _ signed: CompactJWS
  ) throws(VerificationFailure) {
    _ = try verifier.appTransaction(signed, now: .init(milliseconds: Self.now))
  }
}

extension VerificationResult.VerificationError {
  /// The nearest of StoreKit's reasons, which are coarser.
  init(_ failure: VerificationFailure) {
    self =
      switch failure {
      case .malformed(.wrongField), .malformed(.missingField), .malformed(.wrongTime),
        .malformed(.noKnownKind):
        .missingRequiredProperties
      case .malformed(.wrongSignatureLength), .badSignature: .invalidSignature
      case .tooLong, .malformed, .unsupportedAlgorithm: .invalidEncoding
      case .missingX5C, .wrongChainLength, .badCertificate, .untrustedChain, .expired,
        .missingOID, .notAuthority, .unsupportedKey, .unavailable:
        .invalidCertificateChain
      case .wrongKind, .wrongBundle, .wrongAppID, .wrongEnvironment: .missingRequiredProperties
      }
  }
}
