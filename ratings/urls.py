"""Addresses of ratings and grades."""

urlpatterns = []
