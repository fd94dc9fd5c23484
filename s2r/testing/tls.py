"""A certificate for the hosts of a world, made by the openssl program; without it the world speaks no TLS."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from collections.abc import Iterable
from pathlib import Path


def has_openssl() -> bool:
    """Whether certificates can be made here."""
    return shutil.which("openssl") is not None


def make_certificate(hosts: Iterable[str], folder: Path) -> tuple[ssl.SSLContext, Path]:
    """A server context for `hosts`, and the PEM file by which clients trust it (it is its own authority)."""
    program = shutil.which("openssl")
    if program is None:
        raise FileNotFoundError("openssl")
    names = ",".join(f"DNS:{host}" for host in dict.fromkeys((*hosts, "localhost")))
    config, key, chain = folder / "world.cnf", folder / "world.key", folder / "world.pem"
    config.write_text(
        "[req]\nprompt=no\ndistinguished_name=dn\nx509_extensions=ext\n[dn]\nCN=s2r loopback world\n"
        f"[ext]\nsubjectAltName={names},IP:127.0.0.1\nbasicConstraints=critical,CA:TRUE\n"
        "keyUsage=critical,digitalSignature,keyCertSign\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
    )
    command = [program, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650"]
    subprocess.run(  # noqa: S603 - fixed arguments
        [*command, "-config", str(config), "-keyout", str(key), "-out", str(chain)], check=True, capture_output=True, timeout=60
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    return context, chain
