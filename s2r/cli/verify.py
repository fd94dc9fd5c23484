"""`s2r verify`: prove an archive and all claims of its records again, offline."""

from __future__ import annotations

from pathlib import Path

import click

from s2r.cli.common import EXIT_GATE, EXIT_OK, emit, read_policy, read_settings, stdout
from s2r.proof import prove


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--policy", "policy_name", default="delisting", show_default=True, help="Event type: a folder of the policies.")
@click.option("--policies", type=click.Path(path_type=Path), help="Policies folder (default: ./policies, else the packaged one).")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per fault on stdout.")
def verify(run: Path, policy_name: str, policies: Path | None, as_json: bool) -> int:
    """Re-open every archived page of RUN and check every claim of its records. Exit 3 when anything does not hold."""
    settings = read_settings(policies=policies)
    policy, _ = read_policy(policy_name, settings)
    proof = prove(run, policy)
    console = stdout()
    for fault in proof.faults:
        if as_json:
            emit({"subject": fault.subject, "problem": fault.problem, "records": list(fault.records)})
        else:
            affected = f" Records: {', '.join(fault.records)}." if fault.records else ""
            console.print(f"FAULT {fault.subject}: {fault.problem}.{affected}", markup=False)
    line = f"{proof.exhibits} archived pages and {proof.claims} claims of {proof.records} records checked: {len(proof.faults)} faults."
    console.print(line) if not as_json else None
    return EXIT_GATE if proof.faults else EXIT_OK
