"""What teachers wrote, as texts."""
