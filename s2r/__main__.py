"""`python -m s2r`."""

from s2r.cli import main

main()
