"""The command line from an uninstalled checkout: python cli.py --help."""

from targi_dsl.cli import main

main()
