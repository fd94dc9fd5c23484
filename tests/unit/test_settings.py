"""Settings: flag before environment before file before default; every fault names its key."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2r.errors import ConfigError
from s2r.settings import Settings, load_settings, public_settings


def test_order_of_precedence(tmp_path: Path) -> None:
    """Flag, then S2R_*, then s2r.toml, then the default; an empty variable counts as not set."""
    (tmp_path / "s2r.toml").write_text('workers = 2\nmax_pages = 7\nmax_body_mb = 9\ncontact = "desk@example.com"\n', "utf-8")
    env = {"S2R_WORKERS": "3", "S2R_MAX_PAGES": "8", "S2R_CONTACT": ""}
    found = load_settings(env, {"workers": 4, "max_pages": None}, tmp_path)
    assert (found.workers, found.max_pages, found.max_body_mb, found.contact) == (4, 8, 9, "desk@example.com")
    assert found.extract_timeout_s == Settings().extract_timeout_s


def test_other_variables_are_left_alone(tmp_path: Path) -> None:
    """Keys and addresses of providers are no settings of this object."""
    assert load_settings({"S2R_BRAVE_KEY": "x", "S2R_OPENAI_URL": "http://127.0.0.1"}, {}, tmp_path) == Settings()


@pytest.mark.parametrize(
    ("env", "toml", "told"),
    [
        ({"S2R_WORKERS": "many"}, "", "setting workers"),
        ({"S2R_WORKERS": "-1"}, "", "S2R_WORKERS"),
        ({"S2R_WORKERS": "257"}, "", "less than or equal to 256"),
        ({"S2R_EXTRACT_TIMEOUT_S": "0"}, "", "extract_timeout_s"),
        ({}, "max_pages = 0\n", "max_pages in s2r.toml"),
        ({}, 'max_pages = ["x"]\n', "setting max_pages"),
        ({}, "wrokers = 3\n", "there is no setting wrokers"),
        ({}, "[search]\nproxy = 1\n", "there is no setting search"),
        ({}, "workers = \n", "s2r.toml: cannot be read"),
    ],
)
def test_fault_names_its_key(env: dict[str, str], toml: str, told: str, tmp_path: Path) -> None:
    """Bad values, unknown keys and a broken file are errors of configuration, each with what to correct."""
    if toml:
        (tmp_path / "s2r.toml").write_text(toml, "utf-8")
    with pytest.raises(ConfigError) as raised:
        load_settings(env, {}, tmp_path)
    assert told in str(raised.value)
    assert raised.value.advice


def test_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    """Not UTF-8: the path and what to do."""
    (tmp_path / "s2r.toml").write_bytes(b"contact = '\xff'\n")
    with pytest.raises(ConfigError, match=r"s2r\.toml: cannot be read"):
        load_settings({}, {}, tmp_path)


def test_settings_do_not_change() -> None:
    """They are passed, not edited."""
    with pytest.raises(ValueError, match="frozen"):
        Settings().workers = 3  # type: ignore[misc]


def test_manifest_never_shows_what_may_hold_a_password() -> None:
    """A proxy with user and password is only said to be set."""
    hidden = [name for name, field in Settings.model_fields.items() if not field.repr]
    settings = Settings.model_validate(dict.fromkeys(hidden, "http://user:sesame@proxy.example:3128"))
    shown = public_settings(settings)
    assert "sesame" not in str(shown)
    assert all(shown[name] == "(set)" for name in hidden)
    assert shown["max_pages"] == settings.max_pages
