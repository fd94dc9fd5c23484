"""A question to a model, from the templates of the policy: what it is told of listing, definition and evidence."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from jinja2 import StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from s2r.adjudicate.llm.passages import Pack, Passage
from s2r.errors import PolicyError
from s2r.models import Arm, DateClass, Listing, PackNote, PassageRef
from s2r.policy import Policy
from s2r.policy.asking import Asking, Prompt, prompt_files
from s2r.policy.load import PolicyFault

_IDENTITY = ("issuer", "security", "security_type", "ticker", "mic", "venue", "country", "isin", "lei", "cik")


class Rendered(NamedTuple):
    """What is said as system and as user."""

    system: str
    user: str


def render(prompt: Prompt, listing: Listing, policy: Policy, arm: Arm, pack: Pack | None = None) -> Rendered:
    """The texts of one question. Neither carried columns, such as a vendor's record, are part of them, nor what was withheld: that
    there are documents after the cutoff would tell of it. Raises `PolicyError` for a template
    that fails."""
    values = _values(listing, policy, arm, pack)
    names = (f"{prompt.event}/prompt.{prompt.purpose}.{part}.j2" for part in ("system", "user"))
    return Rendered(*(_rendered(name, text, values) for name, text in zip(names, (prompt.system, prompt.user), strict=True)))


def template_faults(asking: Asking, policy: Policy) -> list[PolicyFault]:
    """Faults of the templates of an event type: each is tried on each arm, with evidence and without."""
    found: dict[tuple[str, int, str], PolicyFault] = {}
    for prompt in asking.prompts.values():
        for arm in Arm:
            for pack in (_SAMPLE, _EMPTY) if arm is Arm.WEB else (None,):
                values = _values(_LISTING, policy, arm, pack)
                for part, text in (("system", prompt.system), ("user", prompt.user)):
                    name = f"{prompt.event}/prompt.{prompt.purpose}.{part}.j2"
                    try:
                        _rendered(name, text, values)
                    except PolicyError as exc:
                        line = int(exc.subject.rpartition(":")[2])
                        found[name, line, exc.message] = PolicyFault(
                            file=name, line=line, key="", problem=exc.message, advice="Use only what docs/models.md lists."
                        )
    assert {fault.file for fault in found.values()} <= set(prompt_files(policy.definition.name))
    return list(found.values())


def _values(listing: Listing, policy: Policy, arm: Arm, pack: Pack | None) -> dict[str, Any]:
    venue = policy.venues.get(listing.mic)
    shown = arm is Arm.WEB and pack is not None
    return {
        "event": policy.definition.event_type,
        "definition": policy.definition.definition.strip(),
        "reasons": list(policy.definition.reasons),
        "disclosure_types": list(policy.definition.disclosure_types),
        "arm": arm.value,
        "listing": {name: " ".join(str(getattr(listing, name)).split()) for name in _IDENTITY} | {"cutoff": listing.cutoff.isoformat()},
        "venue_name": venue.name if venue else "",
        "passages": [_shown(p) for p in pack.passages] if shown and pack else [],
        "documents": pack.note.documents if shown and pack else 0,
        "fence": pack.fence if shown and pack else "",
    }


def _shown(passage: Passage) -> Mapping[str, object]:
    ref = passage.ref
    return {
        "id": ref.id,
        "document": passage.document,
        "source_kind": ref.source_kind,
        "published": ref.published,
        "date_class": ref.date_class.value,
        "text": passage.text,
    }


@lru_cache(maxsize=1)
def _environment() -> ImmutableSandboxedEnvironment:
    # plain text, no markup: escaping would change the words that are to be quoted
    return ImmutableSandboxedEnvironment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)


@lru_cache(maxsize=64)
def _template(text: str) -> Template:
    return _environment().from_string(text)


def _rendered(name: str, text: str, values: Mapping[str, Any]) -> str:
    try:
        return _template(text).render(values).strip()
    except (TemplateError, TypeError, ValueError, ArithmeticError) as exc:
        line = getattr(exc, "lineno", None) or _line(exc)
        raise PolicyError(f"the template fails: {exc}", subject=f"{name}:{line}", advice="See docs/models.md for what it may use.") from exc


def _line(exc: BaseException) -> int:
    """Line of the template in which rendering failed."""
    at, trace = 1, exc.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<template>":
            at = trace.tb_lineno
        trace = trace.tb_next
    return at


def _sample() -> tuple[Listing, Pack, Pack]:
    listing = Listing(row_id="sample", issuer="Sample plc", mic="XLON", isin="GB0000000000", cutoff=dt.date(2020, 12, 31))
    ref = PassageRef(id="p00000000", exhibit="sha256:0", url="https://example.com/", start=0, end=4, source_kind="exchange",
                     published="2020-01-02", date_class=DateClass.DATED)  # fmt: skip
    note = PackNote(digest="0", documents=1, passages=(ref,))
    full = Pack(passages=(Passage(ref=ref, text="text", document=1),), note=note, fence="0" * 16)
    return listing, full, Pack(note=PackNote(digest="0"), fence="0" * 16)


_LISTING, _SAMPLE, _EMPTY = _sample()
