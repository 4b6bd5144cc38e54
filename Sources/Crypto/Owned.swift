import CCrypto

/// Makes libcrypto ready, to be asked for before its first call. It is left as it is when the
/// process ends: what it would take apart then, a thread may still verify with, and crash.
let libcrypto: Void = {
  _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
}()

/// One object of libcrypto with the function that frees it. It is freed exactly once, when its
/// owner goes.
struct Owned: ~Copyable {
  let pointer: OpaquePointer
  private let free: @convention(c) (OpaquePointer?) -> Void

  /// Takes over a reference that a call returned; throws where the call returned none.
  init(
    _ pointer: OpaquePointer?, _ free: @convention(c) (OpaquePointer?) -> Void,
    _ action: CryptoError.StaticText
  ) throws(CryptoError) {
    guard let pointer else { throw .failure(action) }
    self.pointer = pointer
    self.free = free
  }

  deinit { free(pointer) }
}

/// The bytes that an encoder of libcrypto writes: it is asked for the length first.
func derBytes(
  _ action: CryptoError.StaticText,
  _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) throws(CryptoError) -> [UInt8] {
  let count = encode(nil)
  guard count > 0 else { throw .failure(action) }
  var written: Int32 = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
    var cursor = buffer.baseAddress
    written = encode(&cursor)
    initialized = max(Int(written), 0)
  }
  guard written == count else { throw .failure(action) }
  return bytes
}

/// What a decoder of libcrypto makes of the whole of `bytes`; nil where it makes nothing or
/// something follows.
func decoded(
  _ bytes: [UInt8], _ free: @convention(c) (OpaquePointer?) -> Void,
  _ decode: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
) -> OpaquePointer? {
  libcrypto
  return bytes.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return nil }
    var cursor: UnsafePointer<UInt8>? = start
    guard let pointer = decode(&cursor, buffer.count) else {
      ERR_clear_error()
      return nil
    }
    guard cursor == start + buffer.count else {
      free(pointer)
      return nil
    }
    return pointer
  }
}
