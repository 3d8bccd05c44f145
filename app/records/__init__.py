"""Floor 2: what has happened. Tables, the database in two calls, and the verbs on it.

Verbs are plain functions `(session, caller, …, now) -> frozen value`: `Database.read` and `Database.write`
run. Nothing here knows of the web.
"""
