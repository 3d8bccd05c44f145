"""What happens to whole persons: signing in, merging, export, deletion, invitations, help of the operator."""
