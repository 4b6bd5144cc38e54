/// The limits of this target, each with its reason.
public enum AppStoreLimits {
  /// The largest `.storekit` file read, in bytes: 500 products with forty languages each are
  /// about 5 MB.
  public static let configurationBytesMax = 32 * 1024 * 1024

  /// How deep a `.storekit` file nests: Xcode's own go to 9.
  static let configurationDepthMax = 64

  /// The newest format whose keys are known (Domain.md 5.1); later ones are read with a notice.
  static let configurationVersionMax: Int64 = 5

  /// The furthest that a synchronised date may be from 2001, in seconds: three thousand years,
  /// far more than any date and far less than overflows milliseconds.
  static let synchronizedSecondsMax = 1e11

  /// The most products in one file: App Store Connect allows an app 10,000.
  static let configurationProductsMax = 10_000

  /// The longest identifier of a product, group or offer, in bytes: App Store Connect stops at
  /// 100 characters, and hand-written files are not far from it.
  static let identifierBytesMax = 255

  /// The highest price, in milliunits: the dearest price points have seven digits before the
  /// point, in currencies of small units nine.
  static let priceMilliunitsMax: Int64 = 1_000_000_000_000_000

  /// The most periods of one offer, so that an offer's length always fits a `Period`.
  static let offerPeriodsMax: Int64 = 999

  /// The lowest service level that a group may have; Xcode numbers from 1 without gaps.
  static let groupLevelMax: Int64 = 1_000_000

  /// The most notices that one file gives; those after it are counted only.
  static let noticesMax = 50

  /// How much of a wrong text an error repeats, in bytes.
  static let quotedBytesMax = 80

  /// The longest signed text, in bytes: a notification with its two signed parts is under 20 KB,
  /// and with the rest of its call it fits a request of 64 KiB.
  public static let signedBytesMax = 48 * 1024

  /// How deep a payload or header nests: Apple's go to 5.
  static let payloadDepthMax = 16

  /// Domain.md 1.7: the signature of a promotional offer is good for 24 hours.
  static let offerSignatureMilliseconds: Int64 = 86_400_000
}
