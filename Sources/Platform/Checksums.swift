import CLinux
import EventLog

/// The checksum of the log as fast as this machine has it: the processor's own instruction, or
/// the log's in plain Swift where there is none.
let machineChecksum: Checksum = clinux_crc32c_is_supported() ? hardwareChecksum : crc32c

@Sendable
func hardwareChecksum(_ seed: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
  clinux_crc32c(seed, bytes.baseAddress, bytes.count)
}
