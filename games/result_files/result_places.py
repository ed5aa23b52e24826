"""Where the matches of a results file belong: league, season, divisions, teams and their clubs."""

from collections.abc import Iterable
from datetime import date, datetime

from django.utils.translation import gettext as _

from clubs.directory import Directory
from clubs.import_report import ImportRefused
from clubs.models import Club
from clubs.names import fold
from clubs.sheets import Problem, Row, plain_text
from games.fixture_lists import fixtures
from games.models import Division, League, Season, Team
from games.season_office import leagues

from .meetings import Meeting, home_colour_of
from .result_file import ResultRow, days_of

MOST_LETTERS_OF_LEAGUE = 100
MOST_LETTERS_OF_SEASON = 40


class Places:
    """The season an import fills: what there is of it is locked, what is missing is made.

    First `find`, which writes nothing, then `add_season` and `add_teams`.
    """

    def __init__(self, league_name: str, label: str):
        self.league_name = league_name
        self.label = label
        self.league: League | None = None
        self.season: Season | None = None
        self.starts_on = date.min
        self.ends_on = date.max
        self.divisions: dict[str, Division] = {}
        self.clubs: dict[tuple[str, str], Club] = {}
        self.teams: dict[tuple[str, str], Team] = {}
        self.notices: list[str] = []

    @classmethod
    def find(cls, league_name: str, label: str, rows: Iterable[Row]) -> "Places":
        """What is stored of a league's season, its rows locked; raises `ImportRefused`.

        The days of a new season come from its label, else from the dates of the file.
        """
        places = cls(*_checked_names(league_name, label))
        places.league = leagues.find_league(places.league_name)
        season = None if places.league is None else leagues.find_season(places.league, label)
        if season is not None:
            places.season = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
            places.season.league = places.league
            places.starts_on, places.ends_on = season.starts_on, season.ends_on
            places._lock_divisions()
        else:
            places.starts_on, places.ends_on = _days_of_season(places.label, rows)
        return places

    def _lock_divisions(self) -> None:
        divisions = Division.objects.filter(season=self.season).order_by("pk")
        locked = divisions.select_related("rated_event").select_for_update(
            no_key=True, of=("self",)
        )
        for division in locked:
            division.season = self.season
            self.divisions[fold(division.name)] = division
        for team in Team.objects.filter(division__season=self.season).select_related("club"):
            division = next(d for d in self.divisions.values() if d.pk == team.division_id)
            team.division = division
            self.teams[fold(division.name), team.search_name] = team

    @property
    def board_counts(self) -> dict[str, int]:
        """How many boards a match has in the divisions there are, by folded name."""
        return {name: division.board_count for name, division in self.divisions.items()}

    def find_clubs(self, rows: Iterable[ResultRow], directory: Directory) -> None:
        """Find or make the club of each team of the file."""
        for row in rows:
            for name in (row.home, row.away):
                key = (fold(row.division), fold(name))
                if key in self.clubs:
                    continue
                team = self.teams.get(key)
                self.clubs[key] = directory.club_of_team(name) if team is None else team.club

    def add_season(self, meetings: list[Meeting], at: datetime, **rules) -> None:
        """Make what is missing of league, season and divisions; a season made here is public.

        `rules` are columns of the divisions that are made.
        """
        if self.league is None:
            self.league = leagues.add_league(name=self.league_name)
            self.notices.append(_("New league: %s") % self.league)
        if self.season is None:
            self.season = leagues.add_season(
                league=self.league,
                label=self.label,
                starts_on=self.starts_on,
                ends_on=self.ends_on,
                published_at=at,
            )
            last = date.fromordinal(self.ends_on.toordinal() - 1)
            self.notices.append(
                _("New season: %(label)s, from %(first)s to %(last)s")
                % {"label": self.label, "first": self.starts_on, "last": last}
            )
        for key, own in _by_division(meetings).items():
            if key not in self.divisions:
                self.divisions[key] = self._add_division(own, rules)

    def _add_division(self, meetings: list[Meeting], rules: dict) -> Division:
        days = [meeting.played_on for meeting in meetings if meeting.played_on is not None]
        division = leagues.add_division(
            season=self.season,
            name=meetings[0].first.division,
            board_count=max(meeting.board_count for meeting in meetings),
            home_colour=home_colour_of(row for meeting in meetings for row in meeting.rows),
            first_day=min(days, default=None),
            **rules,
        )
        sentence = _(
            "New division: %(name)s, %(boards)d boards, %(minutes)d minutes + %(seconds)d s"
        )
        self.notices.append(
            sentence
            % {
                "name": division,
                "boards": division.board_count,
                "minutes": division.minutes,
                "seconds": division.increment_seconds,
            }
        )
        return division

    def add_teams(self, rows: Iterable[ResultRow]) -> None:
        """Make the teams that are missing; their clubs are stored."""
        names: dict[tuple[str, str], str] = {}
        for row in rows:
            for name in (row.home, row.away):
                names.setdefault((fold(row.division), fold(name)), name)
        for key, division in self.divisions.items():
            new = [
                (name, self.clubs[place])
                for place, name in names.items()
                if place[0] == key and place not in self.teams
            ]
            for team in fixtures.add_teams(division=division, teams=new):
                self.teams[key, team.search_name] = team
                self.notices.append(
                    _("New team: %(team)s of the club %(club)s, %(division)s")
                    % {"team": team, "club": team.club, "division": division}
                )
            if len([place for place in self.teams if place[0] == key]) > fixtures.MOST_TEAMS:
                sentence = _("%(division)s has more than %(most)d teams")
                words = {"division": division, "most": fixtures.MOST_TEAMS}
                raise ImportRefused([Problem(0, "", "", sentence % words)])


def _by_division(meetings: Iterable[Meeting]) -> dict[str, list[Meeting]]:
    found: dict[str, list[Meeting]] = {}
    for meeting in meetings:
        found.setdefault(fold(meeting.first.division), []).append(meeting)
    return found


def _checked_names(league_name: str, label: str) -> tuple[str, str]:
    problems, names = [], []
    for option, text, length in (
        ("--league", league_name, MOST_LETTERS_OF_LEAGUE),
        ("--season", label, MOST_LETTERS_OF_SEASON),
    ):
        try:
            name = plain_text(text.strip(), length=length)
            if not fold(name):
                raise ValueError(_("expected a name"))
            names.append(name)
        except ValueError as error:
            problems.append(Problem(0, "", "", f"{option}: {error}"))
    if problems:
        raise ImportRefused(problems)
    return names[0], names[1]


def _days_of_season(label: str, rows: Iterable[Row]) -> tuple[date, date]:
    by_label = leagues.dates_of_label(label)
    if by_label is not None:
        return by_label
    days = days_of(rows)
    if not days:
        sentence = _("--season: the year is neither in the label nor in a date of the file;")
        expected = _("expected a label like 2010-11")
        raise ImportRefused([Problem(0, "", "", f"{sentence} {expected}")])
    return leagues.dates_around(days[0])
