"""Record -> files and one self-contained HTML report; reads only."""

from s2r.report.page import write_report

__all__ = ["write_report"]
