"""Who is asking: learners, sign-ins, accounts, passwords, limits on tries."""
