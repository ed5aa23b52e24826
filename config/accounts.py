"""How accounts behave: sign-up is closed, and mail leaves by a job."""

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):
    """Accounts are made by officers; nobody signs up."""

    def is_open_for_signup(self, request):
        return False
