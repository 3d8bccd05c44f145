"""Accounts: signing up and in, one's own page and data, invitations of teachers."""
