"""The database as one file: how it is opened, locked, upgraded, copied, checked and put back."""
