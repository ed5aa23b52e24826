"""People and clubs: found, changed, merged, moved, handed out and erased."""
