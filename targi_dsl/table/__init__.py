"""Games at tables in a browser: who sits where, what each of them is sent, and the server."""
