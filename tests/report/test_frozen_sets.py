"""The frozen sets of the releases: what counted once is still there, or was retired in so many words."""

import pytest
from mcp_tck.conformance import standing, suite
from mcp_tck.conformance.agreement import frozen

VERSIONS = frozen.versions(suite.RELEASED)


@pytest.mark.parametrize(
    "version", VERSIONS or [pytest.param("", marks=pytest.mark.skip(reason="nothing is released yet"))]
)
def test_an_id_that_counted_is_still_there_or_named_in_the_changelog_as_retired(version):
    gone = frozen.read(suite.RELEASED, version) - suite.bundled_ids() - standing.ids()
    told = (suite.HOME.parent / "CHANGELOG.md").read_text("utf-8")
    assert not [name for name in sorted(gone) if name.partition("[")[0] not in told]


def test_freezing_writes_all_bundled_ids_and_the_standing_checks(user):
    there = "import mcp_tck.conformance.suite as s; from pathlib import Path; s.RELEASED = Path('released')"
    done = user.command("freeze", "7.0.0", before=there)
    assert done.returncode == 0, done.stderr
    ids = frozen.read(user.folder / "released", "7.0.0")
    assert ids == suite.bundled_ids() | standing.ids()
    assert user.command("freeze", "7.0.0", before=there).returncode == 4
