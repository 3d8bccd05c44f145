"""What templates are given: plain values made from the course and what a learner did."""
