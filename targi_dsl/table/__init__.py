"""Games at tables in a browser: the games in progress, who sits where, what each page is sent, and
the server.

`game` is one game and its rules of turn and undo; `hall` the tables with their links and open
pages; `lobby` the start page; `server` and `serving` speak HTTP and WebSockets with messages of
`messages`; `sharing` makes a game one page without a server.
"""
