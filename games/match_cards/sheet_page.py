"""The page of one side's line-up before the match: the card with one picker a board."""

from games.models import Side

from .card_entries import NewPlayer
from .card_page import CardPage
from .team_sheets import Sheet


class SheetPage(CardPage):
    """The card as `side` alone fills it in; `saved` is the sheet that is stored of it.

    A bound page answers `is_valid()`, then `seats()`. What `save_sheet` says against it is taken
    in by `refuse()` or `show_newer()`.
    """

    def __init__(self, *args, side: Side, saved: Sheet, **kwargs):
        super().__init__(*args, sheets={side: saved.seats}, **kwargs)
        self.side = side
        self.saved = saved
        self.is_overtaken = False

    @property
    def mark(self) -> str:
        """The mark of the sheet that the typist has seen, for the next save."""
        is_kept = self.is_bound and not self.is_overtaken
        return self.form.data.get("version", "") if is_kept else self.saved.mark

    def is_valid(self) -> bool:
        """Whether the sheet can be read; if not, the problems stand at their rows."""
        # A sheet has no day: the form is cleaned only so that it can be asked.
        self.form.is_valid()
        self.formset.is_valid()
        self._read_boards()
        return not self.problems

    def is_of_stored_version(self) -> bool:
        """All its rows are always there: it asks for as many as the match has."""
        return True

    def seats(self) -> dict[int, int | NewPlayer]:
        """Who sits where, by board."""
        seated = {number: form.who[self.side] for number, form in enumerate(self.typed, 1)}
        return {number: who for number, who in seated.items() if who is not None}

    def show_newer(self, saved: Sheet) -> None:
        """Draw the sheet as typed beside what was saved meanwhile; saved again, it counts."""
        self.saved, self.is_overtaken = saved, True

    @property
    def newer(self) -> list[tuple[int, str]]:
        """Who sits where on the sheet that was saved meanwhile, by name."""
        if not self.is_overtaken:
            return []
        return [
            (number, who if isinstance(who, str) else str(self.line_ups.players[who]))
            for number, who in self.saved.seats.items()
        ]
