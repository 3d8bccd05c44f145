"""Labs: small machines to play with. What one shows depends on its address alone; nothing is recorded."""
