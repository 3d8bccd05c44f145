"""Faults that can be replayed: kills under load, and every write and sync failing in its turn."""
