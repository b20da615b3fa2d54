"""The command line from an uninstalled checkout: python cli.py --help."""

from targi_dsl.cli import main

if __name__ == "__main__":  # the workers of `simulate` import this file too
    main()
