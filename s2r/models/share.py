"""A counted share."""

from __future__ import annotations

from s2r.models.listing import Frozen


class Share(Frozen):
    """`hits` of `n`; which interval goes with it is for those who measure to say."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        """The share; None without cases."""
        return self.hits / self.n if self.n else None
