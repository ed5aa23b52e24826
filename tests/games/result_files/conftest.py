"""What the tests of imported results share: the command, run on a text."""

import io

import pytest
from django.core.management import CommandError, call_command

from tests.games.result_file_scene import counts


@pytest.fixture
def run(tmp_path):
    """Import a text and return the lines of the report, or with `refused` those of the error."""

    def run(content, *options, league="Leinster", season="2010-11", refused=False):
        path = tmp_path / "results.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        out, err = io.StringIO(), io.StringIO()
        arguments = ["import_results", str(path), "--league", league, "--season", season, *options]
        if refused:
            before = counts()
            with pytest.raises(CommandError) as error:
                call_command(*arguments, stdout=out, stderr=err)
            assert out.getvalue() == "0 new, 0 changed\n"
            assert counts() == before
            return [*err.getvalue().splitlines(), str(error.value)]
        call_command(*arguments, stdout=out, stderr=err)
        assert err.getvalue() == ""
        return out.getvalue().splitlines()

    return run
