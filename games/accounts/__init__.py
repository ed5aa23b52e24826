"""Who acts for whom: invitations, roles, and what each account has to do."""
