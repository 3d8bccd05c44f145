"""What people report about items."""
