// What a program takes from Apple's module of this name, in so far as it is here.
@_exported import StoreKitSupport
