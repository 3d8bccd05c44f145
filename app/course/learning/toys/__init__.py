"""A row of candies that moves: its setting in an address, and the tasks that it is given."""
