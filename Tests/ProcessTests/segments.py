"""A reader of the log's files, written from the format page (Sources/EventLog/LogFormat.md)."""

import struct

SEGMENT_MAGIC = bytes.fromhex("72656e6577641a0a")
FRAME_MAGIC = bytes.fromhex("b7524e01")
MARK_MAGIC = bytes.fromhex("b7524e02")
SNAPSHOT_MAGIC = bytes.fromhex("72656e657764531a")


def _table():
  table = []
  for value in range(256):
    for _ in range(8):
      value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    table.append(value)
  return table


TABLE = _table()


def crc32c(data, start=0):
  """CRC-32C, continued from an earlier result."""
  value = start ^ 0xFFFFFFFF
  for byte in data:
    value = TABLE[(value ^ byte) & 0xFF] ^ value >> 8
  return value ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283


class Segment:
  """One segment file: its header, its frames as (offset, length, first sequence, records)."""

  def __init__(self, path, chain=None):
    data = path.read_bytes()
    self.identity = data[16:32]
    self.first, self.position, self.size, self.chain = struct.unpack("<QQQI", data[32:60])
    assert data[:8] == SEGMENT_MAGIC and data[8:16] == struct.pack("<II", 1, 0)
    assert struct.unpack("<I", data[60:64])[0] == crc32c(data[:60])
    assert path.name == f"{self.first:020}.log"
    seed = crc32c(self.identity)
    assert self.chain == (seed if chain is None else chain)
    self.frames = []
    offset, sequence = 64, self.first
    while data[offset:offset + 4] == FRAME_MAGIC:
      length, first, records, blocks, chain, check = struct.unpack(
        "<IQIIII", data[offset + 4:offset + 32])
      frame = data[offset:offset + length]
      assert check == crc32c(frame[:28], seed) and first == sequence and len(frame) == length
      checks = self.read_blocks(frame, blocks, records, sequence, seed)
      self.chain = crc32c(checks, crc32c(frame[:24], self.chain))
      assert chain == self.chain
      self.frames.append((offset, length, first, records))
      offset, sequence = offset + length, sequence + records
    self.end, self.next = offset, sequence
    self.data = data

  @staticmethod
  def read_blocks(frame, blocks, records, sequence, seed):
    """Checks the blocks of a frame; their checksum bytes in a row."""
    checks, offset, counted = b"", 32, 0
    for left in reversed(range(blocks)):
      length, count, first = struct.unpack("<IIQ", frame[offset:offset + 16])
      after, check = struct.unpack("<II", frame[offset + 40:offset + 48])
      block = frame[offset:offset + length]
      assert first == sequence + counted and after == left
      assert check == crc32c(block[:44] + block[48:], seed)
      checks += block[44:48]
      offset, counted = offset + length, counted + count
    assert offset == len(frame) and counted == records
    return checks

  def mark(self):
    """The tail mark: position of the last frame and of its end, the last sequence."""
    offset = (self.end + 4095) // 4096 * 4096
    mark = self.data[offset:offset + 40]
    assert mark[:4] == MARK_MAGIC and not any(self.data[self.end:offset])
    assert not any(self.data[offset + 40:])
    chain, frame, end, sequence, zero, check = struct.unpack("<IQQQII", mark[4:])
    assert chain == self.chain and zero == 0
    assert check == crc32c(mark[:36], crc32c(self.identity))
    return frame, end, sequence


def read(paths):
  """The segments of a log, each checked against the one before it."""
  segments = []
  for path in paths:
    segment = Segment(path, segments[-1].chain if segments else None)
    if segments:
      before = segments[-1]
      assert segment.first == before.next and segment.identity == before.identity
      assert segment.position == before.position + before.end
    segments.append(segment)
  return segments


def with_other_rules(data):
  """A snapshot file as a program with other rules would have written it."""
  assert data[:8] == SNAPSHOT_MAGIC
  version = struct.unpack("<Q", data[32:40])[0]
  changed = bytearray(data)
  changed[32:40] = struct.pack("<Q", version + 1)
  changed[84:88] = struct.pack("<I", crc32c(bytes(changed[:84]) + bytes(changed[88:])))
  return bytes(changed)
