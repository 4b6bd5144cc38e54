// Apple's StoreKit re-exports Foundation, and code written for it relies on that. Apple's
// Foundation has URLError and URLSession, which on Linux are a module of their own.
@_exported import Foundation
@_exported import FoundationNetworking
