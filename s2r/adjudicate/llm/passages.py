"""What a model is shown: passages of archived pages, with the places where they stand."""

from __future__ import annotations

from s2r.models import PackNote, PassageRef
from s2r.models.listing import Frozen


class Passage(Frozen):
    """One passage: where it stands in the archive (`ref`), and its text as shown. `document` numbers documents in the order shown."""

    ref: PassageRef
    text: str
    document: int = 0


class Pack(Frozen):
    """The evidence of one question. `fence` marks the ends of passages; a page cannot hold it, since it is made of all pages."""

    passages: tuple[Passage, ...] = ()
    note: PackNote
    fence: str
