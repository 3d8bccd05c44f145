"""On which days somebody learnt, and for how long."""
