"""The error tree of s2r, split by what the caller does about it.

S2RError
├── ConfigError          before any work: fix the input or the configuration (exit 2)
│   ├── InputError       the universe or pool file cannot be used at all
│   └── PolicyError      a fault in a policy file, with file, line and key
├── SourceError          one item failed: it becomes a Gap, the row goes on
│   ├── SourceTimeout    no answer in time
│   ├── SourceRefused    blocked, forbidden, or refused by our own guard
│   └── SourceBroken     bytes came, but they cannot be read
├── SourceUnusable       drop this provider for the rest of the run
├── IntegrityError       stored bytes differ from their digest: stop
├── StoreError           the store or archive cannot be written (disk full, read-only, locked)
└── BudgetExceeded       a cap on money or calls is reached (exit 5)
"""

from __future__ import annotations


class S2RError(Exception):
    """Root of all errors raised on purpose by s2r.

    `subject` names what the error is about (url, file, provider, row id); `advice` says what to do.
    """

    def __init__(self, message: str, *, subject: str = "", advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.subject = subject
        self.advice = advice

    def __str__(self) -> str:
        parts = [f"{self.subject}: {self.message}" if self.subject else self.message]
        if self.advice:
            parts[0] += "" if parts[0].endswith((".", "!", "?", ":", ";")) else "."
            parts.append(self.advice)
        return " ".join(parts)


class ConfigError(S2RError):
    """Configuration or input is unusable; raised before any work (exit 2)."""


class InputError(ConfigError):
    """A universe or pool file cannot be used at all."""


class PolicyError(ConfigError):
    """A policy file is wrong; the message names file, line and key."""


class SourceError(S2RError):
    """One item failed; it becomes a Gap and the row goes on."""


class SourceTimeout(SourceError):
    """The source gave no answer in time."""


class SourceRefused(SourceError):
    """The source, or our own guard, refused."""


class SourceBroken(SourceError):
    """Bytes came but cannot be read: damaged, encrypted, no text layer, not what was declared."""


class SourceUnusable(S2RError):
    """A provider is unusable for the rest of the run."""


class IntegrityError(S2RError):
    """Stored bytes differ from their digest."""


class StoreError(S2RError):
    """The store or archive cannot be written."""


class BudgetExceeded(S2RError):
    """A cap on money or calls is reached; partial results are kept (exit 5)."""


def first_error(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """One error of those that tasks raised side by side: one raised on purpose if there is any, with its message for people."""
    found: BaseException = group.subgroup(S2RError) or group
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found
