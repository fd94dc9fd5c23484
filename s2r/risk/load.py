"""Find and read the risk model of a run."""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import ValidationError

from s2r.errors import ConfigError
from s2r.policy import Policy
from s2r.risk.model import RiskModel, check_fits

FOLDER = "risk"
NONE = "none"  # asks for no model although the policies choose one


def find_risk_model(asked: str, root: Path, policy: Policy) -> RiskModel | None:
    """The model that a flag or setting asks for (a name in `root`/risk, a file, or "none"), else the one that risk/use.toml names for
    the event type, else None. Raises ConfigError when there is no such model, it cannot be read, or it was made for something else."""
    wanted = asked or chosen(root, policy.definition.event_type)
    if not wanted or wanted == NONE:
        return None
    model = read_risk_model(model_path(wanted, root))
    check_fits(model, policy.policy_id, policy.definition.event_type)
    return model


def model_path(wanted: str, root: Path) -> Path:
    """The file of a model that is named or given as a path."""
    return Path(wanted) if wanted.endswith(".json") else root / FOLDER / f"{wanted}.json"


def chosen(root: Path, event_type: str) -> str:
    """The model that risk/use.toml names for an event type; "" when it names none."""
    path = root / FOLDER / "use.toml"
    if not path.is_file():
        return ""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as exc:
        raise ConfigError(f"cannot be read: {exc}", subject=str(path), advice='One line per event type, as in delisting = "name".') from exc
    for key, value in table.items():
        if not isinstance(value, str):
            raise ConfigError(f"{key}: {value!r} is not the name of a model", subject=str(path), advice='As in delisting = "name".')
    return str(table.get(event_type, ""))


def read_risk_model(path: Path) -> RiskModel:
    """Read a model from its JSON file; raises ConfigError naming file and key."""
    try:
        return RiskModel.model_validate_json(path.read_bytes())
    except FileNotFoundError as exc:
        known = ", ".join(sorted(p.stem for p in path.parent.glob("*.json"))) or "none"
        raise ConfigError("there is no such risk model", subject=str(path), advice=f"Models in this folder: {known}.") from exc
    except OSError as exc:
        raise ConfigError(f"cannot be read: {exc.strerror or exc}", subject=str(path), advice="Give a file that can be read.") from exc
    except ValidationError as exc:
        first = exc.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"is no risk model: {where}: {first['msg']}", subject=str(path), advice="Calibrate anew.") from exc
