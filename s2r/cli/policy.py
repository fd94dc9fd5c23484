"""`s2r policy`: check the policies, show one."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from s2r.cli.common import EXIT_CONFIG, EXIT_OK, emit, read_policy, read_settings, stdout
from s2r.job.policies import check_folder
from s2r.policy import policy_root


@click.group()
def policy() -> None:
    """Check and show policies."""


@policy.command()
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per fault.")
def check(policies: Path | None, as_json: bool) -> int:
    """Validate every policy file; name file, line and key of each fault. Exit 2 when there are faults."""
    root = policy_root(read_settings(policies=policies))
    faults = check_folder(root)
    for fault in faults:
        if as_json:
            emit({"file": fault.file, "line": fault.line, "key": fault.key, "problem": fault.problem, "advice": fault.advice})
        else:
            click.echo(f"{fault.file}:{fault.line}: {fault.key}: {fault.problem} {fault.advice}")
    if not as_json:
        click.echo(f"{root}: {len(faults)} faults" if faults else f"{root}: no faults")
    return EXIT_CONFIG if faults else EXIT_OK


@policy.command("show")
@click.argument("name", default="delisting")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
def show_policy(name: str, policies: Path | None) -> int:
    """Print the definition, rulings, languages and venues of policy NAME."""
    settings = read_settings(policies=policies)
    loaded, root = read_policy(name, settings)
    console = stdout()
    console.print(f"{loaded.policy_id} from {root}", markup=False)
    console.print(loaded.definition.definition.strip(), markup=False)
    table = Table("ruling", "value", "text", box=None, pad_edge=False)
    for key, ruling in loaded.definition.rulings.items():
        table.add_row(key, str(ruling.value), ruling.text)
    console.print(table)
    console.print(f"Languages: {', '.join(loaded.languages)}")
    console.print(f"Venues ({len(loaded.venues)}): {', '.join(sorted(loaded.venues))}")
    return EXIT_OK
