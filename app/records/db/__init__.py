"""The database: two calls, transactions, migrations, backups, and the errors that verbs raise."""
