"""What was done to whom, when and by whom, in words."""
