"""The live Elo list."""

from django.utils import timezone

from clubs import access
from clubs.lists import ListPage

from ..forms import LiveListForm
from ..models import EloRating, PoolName, RatingPool
from ..tables import LiveEloTable, club_names
from .asked import asked_pool


class EloList(ListPage):
    """Everybody with a game in a pool, the highest rating first; by club, by name or code."""

    model = EloRating
    table_class = LiveEloTable
    form_class = LiveListForm
    template_name = "ratings/elo_list.html"
    url_name = "elo_list"
    twin_columns = (
        *("position", "shared", "name", "code", "club", "elo", "provisional", "games"),
        *("rating", "url"),
    )

    def setup(self, request, *args, **kwargs):
        super().setup(request, *args, **kwargs)
        self.today = timezone.localdate()

    def get_filters(self):
        self.pool = asked_pool(self.request.GET, PoolName.values)
        return super().get_filters()

    def get_rows(self, q, club, **_others):
        ratings = EloRating.objects.filter(pool=self.pool).for_list(self.today)
        if club is not None:
            ratings = ratings.of_members(club, self.today)
        if q:
            ratings = ratings.found(q)
            if not access.may_see_names(self.request.user):
                ratings = ratings.with_public_names(self.today)
        return ratings

    def get_table_kwargs(self):
        positions = EloRating.objects.filter(pool=self.pool).positions()
        return {"positions": positions, "reader": self.request.user, "today": self.today}

    def get_context_data(self, **kwargs):
        stale = RatingPool.objects.stale(self.pool)
        return super().get_context_data(pool=self.pool, stale=stale, section="elo", **kwargs)

    def twin_head(self):
        return {"pool": self.pool.value}

    def twin_of_all(self):
        return RatingPool.objects.stale_from(self.pool)

    def twin_rows(self, rows):
        reader = self.request.user
        positions = self.get_table_kwargs()["positions"]
        for rating in rows:
            position, shared = positions[rating.shown]
            yield {
                "position": position,
                "shared": shared,
                "name": access.listed_name_for(reader, rating.player, self.today),
                "code": access.code_for(reader, rating.player, self.today),
                "club": club_names(rating.player) or None,
                "elo": rating.shown,
                "provisional": rating.provisional,
                "games": rating.games,
                "rating": rating.rating / 10,
                "url": rating.player.get_absolute_url(),
            }
