"""Part labelled records into train, calibration and locked test: no issuer family in two parts, each stratum in all of them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping, Sequence

from s2r.calibrate.labels import PARTS, Labelled, defect
from s2r.lang.name_parts import core_name
from s2r.lang.text import fold
from s2r.models import Listing

TEST = PARTS[2]


def families(rows: Sequence[Labelled]) -> list[str]:
    """The issuer family of each row: the one its label names, else all listings that share a core name, LEI or CIK."""
    group: dict[str, str] = {}

    def root(key: str) -> str:
        while group.setdefault(key, key) != key:
            key = group[key]
        return key

    keys = [_keys(row) for row in rows]
    for several in keys:
        for other in several[1:]:
            group[root(other)] = root(several[0])
    return [root(several[0]) for several in keys]


def _keys(row: Labelled) -> list[str]:
    named = [f"family:{row.label.family}"] if row.label.family else []
    return [*named, *family_keys(row.record.listing)]


def family_keys(listing: Listing) -> list[str]:
    """What makes listings one issuer family: any of core name, LEI and CIK that they share; the name comes first."""
    name = fold(core_name(listing.issuer) or listing.issuer).text
    return [f"name:{name}", *(f"{kind}:{value}" for kind, value in (("lei", listing.lei), ("cik", listing.cik)) if value)]


def dealt_part(family: str, shares: Sequence[float], seed: int) -> str:
    """The part of a family by its digest alone: known before any of its records is labelled, and the same whatever else is."""
    place = int(_order(family, seed)[:13], 16) / 16**13
    for part, share in zip(PARTS, shares, strict=True):
        if place < share:
            return part
        place -= share
    return TEST


def row_key(listing: Listing) -> str:
    """What a listing at a cutoff is known by in the log of looks, whatever its row id: a digest, no name."""
    parts = (fold(core_name(listing.issuer)).text, fold(listing.security).text, listing.mic or listing.venue, listing.cutoff.isoformat())
    return hashlib.sha256("|".join(parts).encode()).hexdigest()[:16]


def split(
    rows: Sequence[Labelled], family: Sequence[str], locked: Mapping[str, str], shares: Sequence[float], seed: int
) -> tuple[list[str], int]:
    """The part of each row, and how many rows an earlier look has shown already.

    A family with a row that was in a locked test before (`locked`: its key to the look) stays in the test; a label that asks for
    another part, or parts of one family that differ, raise InputError. The rest is dealt by the digest of family and seed, per stratum.
    """
    fixed: dict[str, tuple[str, Labelled]] = {}
    seen_before = 0
    for row, name in zip(rows, family, strict=True):
        look = locked.get(row_key(row.record.listing))
        seen_before += look is not None
        if look is not None and row.label.split not in ("", TEST):
            problem = f"{row.label.split!r}, but this listing was in a locked test ({look}); what a test has shown must not tune anything"
            raise defect(row.label, "split", problem)
        wanted = TEST if look is not None else row.label.split
        if not wanted:
            continue
        part, first = fixed.setdefault(name, (wanted, row))
        if part != wanted:
            problem = f"{wanted!r}, but row {first.label.number} of the same issuer family is in {part}"
            raise defect(row.label, "split", problem)
    dealt = _deal(rows, family, {name: part for name, (part, _) in fixed.items()}, shares, seed)
    return [dealt[name] for name in family], seen_before


def _deal(rows: Sequence[Labelled], family: Sequence[str], fixed: Mapping[str, str], shares: Sequence[float], seed: int) -> dict[str, str]:
    sizes: dict[str, int] = defaultdict(int)
    stratum: dict[str, str] = {}
    for row, name in zip(rows, family, strict=True):
        sizes[name] += 1
        kind = row.label.truth.stratum or row.label.truth.status.value
        stratum[name] = min(stratum.get(name, kind), kind)
    dealt: dict[str, str] = {}
    for kind in sorted(set(stratum.values())):
        names = sorted((n for n in stratum if stratum[n] == kind), key=lambda n: (n not in fixed, _order(n, seed)))
        filled = dict.fromkeys(PARTS, 0)
        for name in names:
            part = fixed.get(name) or max(PARTS, key=lambda p: _wanting(p, filled, shares, sizes[name]))
            dealt[name] = part
            filled[part] += sizes[name]
    return dealt


def _wanting(part: str, filled: Mapping[str, int], shares: Sequence[float], size: int) -> float:
    """How far a part is behind its share, if `size` more were dealt."""
    return shares[PARTS.index(part)] * (sum(filled.values()) + size) - filled[part]


def _order(name: str, seed: int) -> str:
    return hashlib.sha256(f"{seed}|{name}".encode()).hexdigest()
