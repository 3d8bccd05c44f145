"""Floor 2: what has happened. Tables, the database in two calls, and the verbs on it.

`learners`, `attempts`, `reveals`, `places`, `lessons`, `games`, `progress` and `reports` are modules of
verbs: plain functions `(session, who, …, now) -> frozen value` that `Database.read` and `Database.write`
run. Nothing here knows of the web.
"""
