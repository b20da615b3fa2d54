"""The generated C engine: a program as C source, compiled once and loaded."""
