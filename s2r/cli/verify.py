"""`s2r verify`: prove an archive and all claims of its records again, offline."""

from __future__ import annotations

from pathlib import Path

import click

from s2r.cli.common import EXIT_GATE, EXIT_OK, emit, stderr, stdout
from s2r.lang.text import counted
from s2r.proof import prove


@click.command()
@click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--json", "as_json", is_flag=True, help="One JSON line per fault on stdout; everything human goes to stderr.")
def verify(run: Path, as_json: bool) -> int:
    """Re-open every archived page of RUN and check every claim of its records. Exit 3 when anything does not hold."""
    proof = prove(run)
    for fault in proof.faults:
        if as_json:
            emit({"subject": fault.subject, "problem": fault.problem, "records": list(fault.records)})
        else:
            affected = f" Records: {', '.join(fault.records)}." if fault.records else ""
            stdout().print(f"FAULT {fault.subject}: {fault.problem}.{affected}")
    faults = counted(len(proof.faults), "fault")
    line = f"{proof.exhibits} archived pages and {proof.claims} claims of {proof.records} records checked: {faults}."
    (stderr() if as_json else stdout()).print(line)
    return EXIT_GATE if proof.faults else EXIT_OK
