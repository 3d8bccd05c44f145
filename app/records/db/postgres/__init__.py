"""The database as a server: PostgreSQL behind the same two calls, for several processes and machines.

Nothing here is imported by a site whose records lie in an SQLite file, except the look at its address.
"""
