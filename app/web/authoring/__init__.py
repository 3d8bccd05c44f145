"""Own content of teachers: written, checked, shared, walked through."""
