"""Alembic's folder. A new revision: change the tables, then `python -m app.records.migrations "what"`."""
