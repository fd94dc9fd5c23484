"""One frozen `Settings`, built once by `load_settings`; no effect on import.

Precedence: command-line flag > environment `S2R_*` > `s2r.toml` in the working directory > default.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from s2r.errors import ConfigError
from s2r.models.listing import Frozen


class Settings(Frozen):
    """All run-independent settings, each with its unit and the reason for its default."""

    home: Path = Field(Path("cache"), description="run-time state: archive, store, runs")
    policies: Path | None = Field(None, description="policies folder; None = ./policies if present, else the packaged one")
    workers: int = Field(0, ge=0, le=256, description="rows in work at once; 0 = number of CPU cores")
    engine: Literal["local", "dask"] = Field("local", description="where rows are worked on: processes here, or a Dask cluster")
    scheduler: str = Field("", description="address of the cluster's scheduler, tcp://host:port, with the engine dask")
    shared: str = Field("", description="folder or object store of coordinator and workers, as fsspec names it; empty = the run folder")
    max_pages: int = Field(40, ge=1, description="pages read per listing; more than any dev case needs")
    max_body_mb: int = Field(50, ge=1, description="largest body kept, MB; longest filings are near 30 MB")
    extract_timeout_s: float = Field(60.0, gt=0, description="seconds of CPU one page may take before it is a gap")
    contact: str = Field("", description="contact put into the User-Agent of live requests")
    proxy: str = Field("", repr=False, description="proxy of all roles, http://host:port; it resolves names itself")
    search_proxy: str = Field("", repr=False, description="proxy of search and official sources; empty = proxy")
    fetch_proxy: str = Field("", repr=False, description="proxy of page fetches; empty = proxy")
    model_proxy: str = Field("", repr=False, description="proxy of model calls; empty = proxy")
    verifier_proxy: str = Field("", repr=False, description="proxy of the verifier's model calls; empty = model_proxy")
    escalation_proxy: str = Field("", repr=False, description="proxy of the stronger model's calls; empty = model_proxy")
    ca_bundle: Path | None = Field(None, description="PEM file or folder trusted instead of the system's store, for all roles")
    search_ca_bundle: Path | None = Field(None, description="the same for search and official sources only")
    fetch_ca_bundle: Path | None = Field(None, description="the same for page fetches only")
    model_ca_bundle: Path | None = Field(None, description="the same for model calls only")
    verifier_ca_bundle: Path | None = Field(None, description="the same for the verifier's model calls; empty = model_ca_bundle")
    escalation_ca_bundle: Path | None = Field(None, description="the same for the stronger model's calls; empty = model_ca_bundle")
    fetch_timeout_s: float = Field(30.0, gt=0, description="seconds one page may take in all; slow exchange archives need 20")
    host_rate: float = Field(1.0, gt=0, description="requests per second to one host, over all processes; politeness")
    archived_copies: bool = Field(False, description="whether a live page that is gone or blocked is looked for in web archives")
    wayback_url: str = Field("https://web.archive.org", description="base address of the Wayback Machine or one like it; empty = none")
    wayback_availability_url: str = Field("https://archive.org/wayback/available", description="its availability call")
    wayback_index_per_minute: float = Field(
        24.0, gt=0, description="requests a minute to its index (CDX, TimeMap), over all processes; it blocks addresses that ask more"
    )
    wayback_rate: float = Field(4.0, gt=0, description="captures a second played back, over all processes; half of what it bears")
    memento_url: str = Field("", description="TimeGate of one more archive (RFC 7089), to which the asked address is appended")
    memento_timemap_url: str = Field("", description="TimeMap in link format of the same archive, address appended")
    rows_at_once: int | None = Field(
        None,
        ge=1,
        le=256,
        description="rows searched and fetched at once on the live web, which makes them wait, and paid calls under way at once, which"
        " a kill may repeat; empty = 8 rows, and as many paid calls as workers",
    )
    batch_poll_s: float = Field(30.0, gt=0, description="seconds between two looks at a batch of model calls, which takes minutes to hours")
    reuse_h: float = Field(168.0, ge=0, description="hours for which searches and pages of the run folder are used again; a week")
    risk: str = Field("", description="risk model: a name in policies/risk, a JSON file, or none; empty = what the policies choose")
    robots: bool = Field(True, description="whether robots.txt decides what is fetched")


def read_settings_file(cwd: Path | None = None) -> dict[str, object]:
    """What `s2r.toml` of a folder (default: the working directory) holds, {} without one; raise `ConfigError` when it cannot be read."""
    path = (cwd or Path()) / "s2r.toml"
    if not path.is_file():
        return {}
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise ConfigError(f"cannot be read: {exc}", subject=str(path), advice="Fix or remove the file.") from exc


def load_settings(
    env: Mapping[str, str], flags: Mapping[str, object], cwd: Path | None = None, *, others: Collection[str] = ()
) -> Settings:
    """Build `Settings` from flags, environment and `s2r.toml`; raise `ConfigError` naming the faulty key.

    `others` are names of the file that belong to somebody else, such as the keys of search providers.
    """
    path = (cwd or Path()) / "s2r.toml"
    values = {name: value for name, value in read_settings_file(cwd).items() if name not in others}
    for name in Settings.model_fields:
        if (value := env.get(f"S2R_{name.upper()}")) not in (None, ""):
            values[name] = value
    values.update({k: v for k, v in flags.items() if v is not None})
    try:
        return Settings.model_validate(values)
    except ValidationError as exc:
        first = exc.errors()[0]
        key = ".".join(str(p) for p in first["loc"])
        if key not in Settings.model_fields:
            advice = f"Remove it from {path}; known: {', '.join(Settings.model_fields)}."
            raise ConfigError(f"there is no setting {key}", subject="settings", advice=advice) from exc
        advice = f"Correct S2R_{key.upper()}, {key} in s2r.toml, or the option of this name."
        raise ConfigError(f"setting {key}: {first['msg']}", subject="settings", advice=advice) from exc


def public_settings(settings: Settings) -> dict[str, object]:
    """The settings as a manifest may show them (JSON types): what may hold a password is only said to be set."""
    shown: dict[str, object] = settings.model_dump(mode="json")
    hidden = [name for name, field in Settings.model_fields.items() if not field.repr]
    return shown | {name: "(set)" for name in hidden if shown[name]}
