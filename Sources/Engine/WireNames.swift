import Contract
import Subscriptions
import Time

// The rules and the wire have types of one name. Here the name is the rules' own; the wire's is
// said with its module, `Contract.Transaction`.

typealias Clock = Subscriptions.Clock
typealias Event = Subscriptions.Event
typealias EventKind = Subscriptions.EventKind
typealias PaymentMode = Subscriptions.PaymentMode
typealias PendingPurchase = Subscriptions.PendingPurchase
typealias PendingReason = Subscriptions.PendingReason
typealias Product = Subscriptions.Product
typealias ProductType = Subscriptions.ProductType
typealias RenewalBehavior = Subscriptions.RenewalBehavior
typealias RenewalInfo = Subscriptions.RenewalInfo
typealias RenewalRate = Subscriptions.RenewalRate
typealias SharingEnd = Subscriptions.SharingEnd
typealias SimulatedAPI = Subscriptions.SimulatedAPI
typealias Storefront = Subscriptions.Storefront
typealias SubmittedKind = Subscriptions.SubmittedKind
typealias TimeTextError = Time.TimeTextError
typealias Transaction = Subscriptions.Transaction
typealias TransactionReason = Subscriptions.TransactionReason

/// What a peer may call.
public typealias PeerRole = Contract.PeerRole
