"""The certificate of `pipsight serve --https`: signed by an authority of this server's own.

A phone that trusts the authority once trusts every later certificate. The authority may sign for
names and addresses of home networks alone (RFC 5280, 4.2.1.10), so trusting it gives nobody power
over other sites.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from webui.errors import CannotStore, DiskFull, Refusal
from webui.http.hosts import HOME, HOME_NETWORKS, LOCAL, ip_of, own_names
from webui.store.private_files import make_private, private_folder, write_durably

AUTHORITY_DAYS = 3650
SERVER_DAYS = 397  # browsers take no longer one
RENEW_DAYS = 30  # before its end
EARLIER = timedelta(hours=1)  # a phone's clock may be a little behind

Key = ec.EllipticCurvePrivateKey


class BadCertificate(Refusal):
    """A certificate cannot be made, kept or read; `str()` is a sentence that says what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its key."""

    certificate: x509.Certificate
    key: Key

    @property
    def fingerprint(self) -> str:
        """Return the SHA-256 of the certificate as browsers show it, AB:CD and so on."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()

    @property
    def pem(self) -> bytes:
        """Return the certificate as PEM."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def der(self) -> bytes:
        """Return the certificate as DER, which phones install."""
        return self.certificate.public_bytes(serialization.Encoding.DER)


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the files of a server's certificates lie, its authority, and what the server shows."""

    folder: Path
    authority: Certificate
    server: Path  # PEM: the server's certificate, the authority's, the server's key


def certificates(folder: Path, names: Iterable[str], at: datetime | None = None) -> Kept:
    """Return the certificates kept in *folder*, made or renewed where that is due.

    Args:
        folder: theirs alone; made where there is none.
        names: host names and IP addresses that the server is reached by. Those that the authority
            may not sign for are left out.
        at: the time instead of the current one.

    Raises:
        BadCertificate: the folder cannot be written, or what lies there is no certificate of ours.
    """
    at = at or datetime.now(UTC)
    try:
        private_folder(folder)
        authority = _authority(folder, at)
        every = {name.lower() for name in (*LOCAL, *names)}
        wanted = sorted(name for name in every if _may_sign(authority, name))
        server = folder / "server.pem"
        if not _still_good(server, authority, wanted, at):
            _write(server, _server(authority, wanted, at))
    except (OSError, DiskFull, CannotStore) as fault:
        cause = fault if isinstance(fault, OSError) else fault.__cause__
        reason = getattr(cause, "strerror", None) or fault
        raise BadCertificate(
            f"The certificate cannot be stored in {folder}: {reason}."
            " Make the folder writable, or name another database."
        ) from None
    return Kept(folder, authority, server)


def _may_sign(authority: Certificate, name: str) -> bool:
    """Return True if a name or address is one that the authority may sign for."""
    extensions = authority.certificate.extensions
    constraints = extensions.get_extension_for_class(x509.NameConstraints).value
    address = ip_of(name)
    for subtree in constraints.permitted_subtrees or ():
        match subtree:
            case x509.IPAddress(value=IPv4Network() | IPv6Network() as network):
                if address is not None and address in network:
                    return True
            case x509.DNSName(value=domain):
                if address is None and f".{name}".endswith(f".{domain}"):
                    return True
    return False


def _general(name: str) -> x509.GeneralName:
    address = ip_of(name)
    return x509.DNSName(name) if address is None else x509.IPAddress(address)


# ---------------------------------------------------------------- made


def _authority(folder: Path, at: datetime) -> Certificate:
    """Return the authority; a new one where there is none, or where it has ended."""
    path = folder / "authority.pem"
    if path.exists():
        found = _read(path)
        if found.certificate.not_valid_after_utc - timedelta(days=RENEW_DAYS) > at:
            return found
    key = ec.generate_private_key(ec.SECP256R1())
    name = _named(f"Pipsight at this table ({os.urandom(2).hex()})")
    permitted = [x509.IPAddress(network) for network in HOME_NETWORKS]
    plain = {name.lower() for name in own_names() if "." not in name}
    homes = [x509.DNSName(one) for one in sorted({*HOME, "localhost", *plain})]
    made = (
        _builder(name, name, key, at, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints([*homes, *permitted], None), critical=True)
        .sign(key, hashes.SHA256())
    )
    whole = Certificate(made, key)
    _write(path, whole.pem + _private(key))
    return whole


def _server(authority: Certificate, names: Sequence[str], at: datetime) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = authority.certificate.subject
    made = (
        _builder(_named("Pipsight"), issuer, key, at, SERVER_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.SubjectAlternativeName([_general(name) for name in names]), critical=False
        )
        .sign(authority.key, hashes.SHA256())
    )
    return Certificate(made, key).pem + authority.pem + _private(key)


def _builder(
    subject: x509.Name, issuer: x509.Name, key: Key, at: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - EARLIER)
        .not_valid_after(at + timedelta(days=days))
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs, key_cert_sign=signs, crl_sign=signs,
        content_commitment=False, key_encipherment=False, data_encipherment=False,
        key_agreement=False, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _private(key: Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


# ---------------------------------------------------------------- kept


def _write(path: Path, content: bytes) -> None:
    write_durably(path, content)
    make_private(path)


def _read(path: Path) -> Certificate:
    content = path.read_bytes()
    try:
        key = serialization.load_pem_private_key(content, None)
        certificate = x509.load_pem_x509_certificate(content)
    except (ValueError, TypeError):
        key = None
    if not isinstance(key, Key) or certificate.public_key() != key.public_key():
        raise BadCertificate(
            f"{path} holds no certificate of Pipsight's. Move it away, and a new one is made;"
            " phones that trusted the old one have to trust the new."
        )
    return Certificate(certificate, key)


def _still_good(path: Path, authority: Certificate, names: Sequence[str], at: datetime) -> bool:
    """Whether the server's certificate is the authority's, for all names, and ends not soon."""
    if not path.exists():
        return False
    try:
        certificate = _read(path).certificate
        certificate.verify_directly_issued_by(authority.certificate)
    except (BadCertificate, InvalidSignature, ValueError, TypeError):
        return False
    alternatives = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    there = {*alternatives.get_values_for_type(x509.DNSName)}
    there |= {str(address) for address in alternatives.get_values_for_type(x509.IPAddress)}
    return set(names) <= there and certificate.not_valid_after_utc - timedelta(days=RENEW_DAYS) > at
