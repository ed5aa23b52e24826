"""A season's games to the rating officer and back."""
