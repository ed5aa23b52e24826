"""Addresses of ratings and grades."""

from django.urls import path

from clubs import twins  # noqa: F401  (registers <twin:form>)

from .views.elo import EloList

urlpatterns = [
    path("ratings/", EloList.as_view(), name="elo_list"),
    path("ratings.<twin:form>", EloList.as_view(), name="elo_list"),
]
