"""Record -> files and one self-contained HTML report; reads only."""

from s2r.report.page import Outline, write_report

__all__ = ["Outline", "write_report"]
