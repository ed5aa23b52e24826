"""Reads of the ledger and of ratings."""

from django.db import models

ORDER_OF_PLAY = ("played_on", "event__key", "round", "board", "number")


class RatedGameQuerySet(models.QuerySet):
    def in_order_of_play(self):
        """The games in the one total order that ratings follow (rules/elo.md section 1)."""
        return self.order_by(*ORDER_OF_PLAY)

    def of_player(self, player_id: int):
        """The games in which this player had either colour."""
        return self.filter(models.Q(white=player_id) | models.Q(black=player_id))


class EloRatingQuerySet(models.QuerySet):
    def provisional(self):
        """Those of fewer than 30 games and no established opening rating."""
        return self.filter(games__lt=30, established=False)
