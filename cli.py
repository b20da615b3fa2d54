"""The command line from an uninstalled checkout: python cli.py --help."""

from targi_dsl.commands import main

main()
