"""What is promised, tried out: floor by floor, and in a real browser."""
