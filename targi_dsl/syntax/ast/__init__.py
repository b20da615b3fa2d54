"""The syntax tree: one class for each construct of the language, every node with its span."""

# ruff: noqa: F403 -- the tree is one vocabulary, in several files only because it is long

from targi_dsl.syntax.ast.base import *
from targi_dsl.syntax.ast.declarations import *
from targi_dsl.syntax.ast.expressions import *
from targi_dsl.syntax.ast.statements import *
