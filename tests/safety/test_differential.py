"""An odd spelling is coerced, refused, dropped or misread, and nothing is accused that does not show."""

from __future__ import annotations

import itertools

import pytest

from .conftest import READS, Refusal, Small

FLAG = {"flag": {"type": "boolean", "default": False}}
LIMIT = {"limit": {"type": "integer", "default": 10}}


def flags(read):
    return Small().tool("t", FLAG, lambda args: f"flag is {read(args['flag']) if 'flag' in args else False}")


def limits(read):
    return Small().tool("t", LIMIT, lambda args: f"limit is {read(args['limit']) if 'limit' in args else 10}")


def strict(*kinds):
    def read(value):
        if type(value) not in kinds:
            raise Refusal("flag, limit: of the wrong type")
        return value

    return read


def test_a_strict_server_passes_everything(play):
    for server in (flags(strict(bool)), limits(strict(int))):
        found = play(server, "arguments")
        assert set(found.outcomes("passed")) == set(found.records)
        assert len(found.records) > 15


def test_a_server_that_reads_what_is_said_passes(play):
    words = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}

    def read(value):
        if isinstance(value, bool) or value in (0, 1):
            return bool(value)
        if value is None or (isinstance(value, str) and not value.strip()):
            return False
        if isinstance(value, str) and value.strip().lower() in words:
            return words[value.strip().lower()]
        raise Refusal(f"flag must be a boolean, not {value}")

    found = play(flags(read), "arguments")
    assert found.outcomes() == {}
    assert "coerced" in str(found["arguments::t.flag[text-true]"])


@pytest.mark.parametrize(
    ("read", "name", "requirement", "told"),
    [
        (bool, "text-false", "SAFE-ARG-1", "taken as boolean true"),
        (bool, "word-maybe", "SAFE-ARG-3", "taken as boolean true"),
        (bool, "list-false", "SAFE-ARG-1", "taken as boolean true"),
        (lambda value: value is True, "text-true", "SAFE-ARG-2", "dropped"),
        (lambda value: value is not False, "null", "SAFE-ARG-4", "taken as boolean true"),
    ],
)
def test_a_boolean_that_is_taken_for_another_is_found(play, read, name, requirement, told):
    wrong = play(flags(read), "arguments").wrong()[f"arguments::t.flag[{name}]"]
    assert wrong[0] == requirement
    assert wrong[1].startswith(told)


def _prefix(value):
    import re

    found = re.match(r"\s*-?\d+", str(value))
    if not found or isinstance(value, bool):
        raise Refusal("limit must be a number")
    return int(found[0])


@pytest.mark.parametrize(
    ("read", "name", "requirement", "told"),
    [
        (_prefix, "text-unit", "SAFE-ARG-3", "taken as integer 1"),
        (_prefix, "text-exponent", "SAFE-ARG-1", "taken as integer 1"),
        (_prefix, "fraction", "SAFE-ARG-3", "taken as integer 1"),
        (lambda value: value if type(value) is int else 10, "text", "SAFE-ARG-2", "dropped"),
        (lambda value: 0 if not isinstance(value, int) else value, "word", "SAFE-ARG-3", "taken as some value"),
        (lambda value: int(value) if isinstance(value, bool) else strict(int)(value), "bool-true", "SAFE-ARG-6", ""),
        (lambda value: 0 if value == "" else strict(int)(value), "empty", "SAFE-ARG-4", "taken as some value"),
    ],
)
def test_a_number_that_is_taken_for_another_is_found(play, read, name, requirement, told):
    wrong = play(limits(read), "arguments").wrong()[f"arguments::t.limit[{name}]"]
    assert wrong[0] == requirement
    assert wrong[1].startswith(told)


def test_what_only_a_language_converts_is_a_warning(play):
    found = play(limits(lambda value: int(value) if isinstance(value, bool) else strict(int)(value)), "bool-true")
    assert found.outcomes() == {"arguments::t.limit[bool-true]": "warned"}


def test_a_refusal_that_does_not_name_the_argument_is_a_warning(play):
    def read(value):
        if type(value) is not int:
            raise Refusal("bad input")
        return value

    found = play(limits(read), "limit[text]")
    assert found.outcomes() == {"arguments::t.limit[text]": "warned"}
    assert found.wrong()["arguments::t.limit[text]"][0] == "SAFE-ARG-5"


def test_a_refusal_that_forgets_to_say_so_is_a_warning_and_no_misreading(play):
    def read(value):
        return value if type(value) is int else f"Error: limit must be an integer, not {value!r}"

    server = Small().tool("t", LIMIT, lambda args: read(args.get("limit", 10)))
    found = play(server, "limit[text]")
    assert found.wrong()["arguments::t.limit[text]"][0] == "SAFE-ERR-4"
    assert found.outcomes() == {"arguments::t.limit[text]": "warned"}


def test_replies_that_only_repeat_the_spelling_are_alike(play):
    def say(args):
        value = args.get("limit", 10)
        return f"you asked for {value!r}: " + "x" * int(float(value))

    assert play(Small().tool("t", LIMIT, say), "limit[text]").outcomes() == {}
    assert play(Small().tool("t", LIMIT, say), "limit[zero-fraction]").outcomes() == {}


def test_a_call_that_never_gets_a_reply_is_found_and_the_clean_one_is_not_blamed(play):
    server = Small().tool("t", LIMIT, lambda args: args.get("limit", 10) if args.get("limit") != "1" else None)
    found = play(server, "limit[text]")
    assert found.wrong()["arguments::t.limit[text]"][0] == "SAFE-ARG-7"


def test_an_argument_whose_value_does_not_show_is_not_exercised(play):
    found = play(Small().tool("t", LIMIT, lambda _args: "always this"), "arguments")
    assert {each["reason"] for each in found.records.values()} == {"t.limit: its value does not show in the reply"}
    assert set(found.outcomes("not_exercised")) == set(found.records)


def test_a_clean_call_that_does_not_repeat_itself_is_not_exercised(play):
    count = itertools.count()
    found = play(Small().tool("t", LIMIT, lambda args: f"{args} {next(count)}"), "arguments")
    assert set(found.outcomes("not_exercised")) == set(found.records)
    assert "does not repeat itself" in str(found.records)


def test_an_odd_reply_that_changes_from_time_to_time_is_not_accused(play):
    count = itertools.count()

    def say(args):
        value = args.get("limit", 10)
        return f"limit is {value if type(value) is int else next(count)}"

    found = play(Small().tool("t", LIMIT, say), "limit[word]")
    assert found.outcomes("not_exercised") == {"arguments::t.limit[word]": "not_exercised"}


def test_a_tool_that_refuses_every_good_value_is_not_exercised_and_says_how_to_help(play):
    def never(_args):
        raise Refusal("no such thing")

    found = play(Small().tool("t", {"id": {"type": "string"}}, never, required=["id"]), "t.id[list]")
    assert "give good arguments under call:" in found["arguments::t.id[list]"]["reason"]


def test_good_arguments_of_the_user_come_first(play):
    def read(args):
        if args.get("id") not in ("known", "other"):
            raise Refusal(f"there is no id {args.get('id')}")
        return f"this is {args['id']}"

    server = Small().tool("t", {"id": {"type": "string"}}, read, required=["id"])
    found = play(server, "t.id[list]", call={"t": [{"id": "known"}, {"id": "other"}]})
    assert found.outcomes("passed") == {"arguments::t.id[list]": "passed"}
    assert server.calls[0] == ("t", {"id": "known"})


def test_a_nullable_argument_takes_null_and_a_union_takes_its_text(play):
    both = {"limit": {"type": ["integer", "null"]}, "name": {"anyOf": [{"type": "string"}, {"type": "integer"}]}}
    found = play(Small().tool("t", both, str), "arguments")
    assert not [name for name in found.records if name.endswith(("limit[null]", "name[text]", "name[number]"))]


def test_an_argument_whose_name_says_danger_says_what_the_misreading_would_do(play):
    server = Small().tool(
        "t", {"dryRun": {"type": "boolean", "default": False}}, lambda args: f"{args.get('dryRun') is True}"
    )
    wrong = play(server, "text-true").wrong()["arguments::t.dryRun[text-true]"]
    assert "a preview that was asked for would become the change itself" in wrong[1]


@pytest.mark.parametrize(
    ("annotations", "name", "called"),
    [
        (READS, "read_it", True),
        (None, "read_it", False),
        ({"readOnlyHint": False}, "read_it", False),
        ({"readOnlyHint": "true"}, "read_it", False),
        (READS | {"destructiveHint": True}, "read_it", False),
        (READS, "delete_it", False),
        (READS, "deleteIt", False),
        (READS, "notes.delete", False),
        (READS, "exportAll", False),
        (READS, "get_update_status", True),
        (READS, "listDeleteRequests", True),
        (READS, "updates_by_day", True),
        (READS, "undeleted_things", True),
        (READS, "tck_probe", False),
    ],
)
def test_only_tools_that_surely_read_are_called(play, annotations, name, called):
    server = Small().tool(name, LIMIT, str, annotations=annotations)
    found = play(server)
    assert bool(server.calls) is called
    assert bool(found.outcomes("passed", "failed", "warned")) is called or not called


def test_a_tool_that_the_user_allows_is_called_with_what_he_gave(play):
    server = Small().tool("delete_it", FLAG, lambda args: str(args.get("flag", False)), annotations=None)
    play(server, "text-false", call={"delete_it": [{"flag": False}]})
    assert ("delete_it", {"flag": "false"}) in server.calls


def test_the_head_of_the_run_says_what_is_called_and_why(play):
    server = Small().tool("reads", LIMIT, str).tool("writes", LIMIT, str, annotations=None)
    kit = play(server, "nothing").kit
    head = "\n".join(kit.maker.head(kit.facts[0]))
    assert "calls, since it declares readOnlyHint: reads" in head
    assert (
        "does not call, since it does not declare readOnlyHint, and the configuration does not allow it: writes" in head
    )


def test_a_budget_of_calls_ends_the_calls_and_says_so(play):
    server = limits(strict(int))
    found = play(server, "arguments", calls=30)
    assert len(server.calls) < 60
    spent = [each["reason"] for each in found.records.values() if each["outcome"] == "not_exercised"]
    assert set(spent) == {"the budget of 30 calls is spent"}


def test_case_ids_are_the_same_every_time(play):
    server = Small().tool("weird name::[x]@1", LIMIT, str)
    first, second = (list(play(server, "nothing").kit.made()) for _ in range(2))
    ids = [case.id for case, _ in first]
    assert ids == [case.id for case, _ in second]
    assert ids[0].startswith("safety/arguments::weird~20~name~3a~~3a~~5b~x~5d~~40~1.limit[")
