"""Signing by hand with the keys of a daemon, or with keys of one's own, for tests of verifiers."""

import base64
import datetime
import json

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

INTERMEDIATE_MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.2.1")
LEAF_MARKER = x509.ObjectIdentifier("1.2.840.113635.100.6.11.1")


def encode(data):
  """base64url without padding."""
  return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
  return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def payload(text):
  """What a compact JWS says, unverified."""
  return json.loads(decode(text.split(".")[1]))


def der(certificate):
  return certificate.public_bytes(serialization.Encoding.DER)


class Signer:
  """A leaf's key and the chain that is sent with its signatures."""

  def __init__(self, key, chain):
    self.key = key
    self.chain = chain

  @classmethod
  def of(cls, state):
    """The keys of a daemon, from its state directory."""
    text = (state / "authority.pem").read_bytes()
    key = serialization.load_pem_private_key(text, None)
    return cls(key, [der(one) for one in x509.load_pem_x509_certificates(text)])

  def sign(self, claims, header=None, chain=None, **changes):
    """A compact JWS of `claims` (bytes as they are); `changes` go into the header."""
    chain = self.chain if chain is None else chain
    if header is None:
      header = {"alg": "ES256", "x5c": [base64.b64encode(one).decode() for one in chain]}
    header = {**header, **changes}
    body = claims if isinstance(claims, bytes) else json.dumps(claims).encode()
    text = f"{encode(json.dumps(header).encode())}.{encode(body)}"
    r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    return f"{text}.{encode(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def authority(leaf_marker=True, intermediate_marker=True, intermediate_is_authority=True,
              leaf_ends=datetime.datetime(2099, 12, 31)):
  """A signer with a root of its own; the root is the last of its chain."""
  def name(text):
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

  def certificate(subject, key, issuer, issuer_key, is_authority, length, marker, ends):
    builder = (
      x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer))
      .public_key(key.public_key()).serial_number(x509.random_serial_number())
      .not_valid_before(datetime.datetime(2000, 1, 1)).not_valid_after(ends)
      .add_extension(x509.BasicConstraints(is_authority, length), critical=True)
      .add_extension(
        x509.KeyUsage(not is_authority, False, False, False, False, is_authority, is_authority,
                      False, False), critical=True)
      .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
      .add_extension(
        x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
        critical=False))
    if marker is not None:
      builder = builder.add_extension(
        x509.UnrecognizedExtension(marker, b"\x05\x00"), critical=False)
    return der(builder.sign(issuer_key, hashes.SHA256()))

  root, middle, leaf = (ec.generate_private_key(ec.SECP256R1()) for _ in range(3))
  ends = datetime.datetime(2099, 12, 31)
  is_authority = intermediate_is_authority
  return Signer(leaf, [
    certificate("leaf", leaf, "middle", middle, False, None,
                LEAF_MARKER if leaf_marker else None, leaf_ends),
    certificate("middle", middle, "root", root, is_authority, 0 if is_authority else None,
                INTERMEDIATE_MARKER if intermediate_marker else None, ends),
    certificate("root", root, "root", root, True, None, None, ends),
  ])
