"""Results of elsewhere: files read, matched with what is stored, and written."""
