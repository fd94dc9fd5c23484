"""Launcher for a checkout: `python cli.py audit universe.csv`."""

from s2r.cli import main

if __name__ == "__main__":
    main()
