import Varlink

/// `org.renewd.Catalog`.
public enum CatalogInterface: Interface {
  public static let name = "org.renewd.Catalog"
  public static let about = """
    What is sold. For admins.
    """
  public static let role = PeerRole.admin
}

/// A method of `org.renewd.Catalog`.
public protocol CatalogMethod: Method where Home == CatalogInterface {}

extension CatalogInterface {
  public struct Import: CatalogMethod {
    public typealias Answer = ImportAnswer
    public static let name = "Import"
    public static let about = """
      Takes in the text of an Xcode .storekit file. source names it, so that a newer text of the
      same source takes its place; products that it lacks go off sale. unchanged: the log has it.
      """
    public static let isForStoresAlone = true
    public static let takesLongCalls = true
    public var text = ""
    public var source: String?
    public var requestID: String?

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
      try coder.text("text", &text)
      try coder.text("source", &source)
      try coder.text("requestId", &requestID)
    }
  }

  public struct Describe: CatalogMethod, Reading {
    public typealias Answer = CatalogueDescription
    public static let name = "Describe"
    public static let about = ""

    public init() {}

    public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {}
  }
}

/// What `Catalog.Import` made of a file.
public struct ImportAnswer: Fields, Hashable {
  public var products: Int64 = 0
  /// What the file says that was passed over, a sentence each.
  public var notices: [String] = []
  /// The log has this very text already.
  public var isUnchanged = false
  public var sequence: Int64 = 0

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.integer("products", &products)
    try coder.texts("notices", &notices)
    try coder.flag("unchanged", &isUnchanged)
    try coder.integer("sequence", &sequence)
  }
}

extension Call where Result == ImportAnswer {
  /// Takes in the text of an Xcode `.storekit` file. `source` names it, so that a newer text of
  /// the same source takes its place. Role: admin.
  public static func importCatalogue(
    text: String, source: String? = nil, requestID: String? = nil
  ) -> Call {
    Call(CatalogInterface.Import()) {
      $0.text = text
      $0.source = source
      $0.requestID = requestID
    }
  }
}

/// What `Catalog.Describe` answers: all that is sold.
public struct CatalogueDescription: Fields, Hashable {
  public var products: [Product] = []
  public var groups: [SubscriptionGroup] = []

  public init() {}

  public mutating func code<C: FieldCoder>(with coder: inout C) throws(C.Failure) {
    try coder.values("products", &products)
    try coder.values("groups", &groups)
  }
}

extension Call where Result == CatalogueDescription {
  /// All that is sold. Role: admin.
  public static func describeCatalogue() -> Call { Call(CatalogInterface.Describe()) }
}
