"""The story project: what its tools do, refuse and leave alone, the incidents retold, and a second writer."""

import json
from pathlib import Path

import pytest
from mcp_tck.reference.project import FileStore, Project, first_state, write_from_outside

CHAPTER = "The harbor was quiet. Mira waited at the harbor gate."


def state(client):
    return json.loads(client.server.project.store.read())


def order(client):
    return [field["field"] for field in client.read("read_entity", entity="Mira")["fields"]]


def revealed(client):
    return {region["region"]: region["revealed"] for region in client.read("read_map", map="Harbor")["regions"]}


def test_the_project_begins_as_the_story_page_says(client):
    assert client.read("list_documents") == {"documents": ["Chapter One", "2024", "Notes"]}
    expected = {"document": "Chapter One", "text": CHAPTER, "word_count_target": 1500}
    assert client.read("read_document", document="Chapter One") == expected
    fields = {field["field"]: field["value"] for field in client.read("read_entity", entity="Mira")["fields"]}
    assert fields == {"age": "31", "home": "the harbor", "role": "keeper", "fear": "deep water"}
    assert revealed(client) == {"docks": True, "crypt": False}


def test_a_search_looks_at_names_and_texts_case_aside(client):
    assert client.read("search_documents", query="MIRA") == {"documents": ["Chapter One", "Notes"]}
    assert client.read("search_documents", query=2024) == {"documents": ["2024"]}
    assert client.read("search_documents", query="nowhere") == {"documents": []}


def test_the_same_seed_makes_the_same_name(client):
    names = [client.read("generate_name", seed=seed)["name"] for seed in (1, "1", 2, -1)]
    assert names[0] == names[1] != names[2]
    assert client.call("generate_name", seed="x")[0] is False


@pytest.mark.parametrize("name", [2024, "2024", " 2024 ", 2024.0])
def test_a_name_sent_as_a_number_is_found(client, name):
    assert client.read("read_document", document=name)["text"] == "The year the lighthouse burned."


@pytest.mark.parametrize("dry_run", [True, "true", " TRUE ", 1, "1", "yes", "on"])
def test_a_preview_changes_nothing(client, dry_run):
    ok, text = client.call("find_replace", find="harbor", replace="bay", dry_run=dry_run)
    assert ok
    assert "**Chapter One**: 2" in text
    assert state(client) == first_state()


@pytest.mark.parametrize("extra", [{}, {"dry_run": False}, {"dry_run": "false"}, {"dry_run": 0}, {"dry_run": "off"}])
def test_a_replacement_replaces_everywhere(client, extra):
    assert client.call("find_replace", find="Mira", replace="Nell", **extra)[0]
    assert client.read("search_documents", query="Nell") == {"documents": ["Chapter One", "Notes"]}
    assert client.read("search_documents", query="Mira") == {"documents": []}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        *[
            ("find_replace", {"find": "harbor", "replace": "bay", "dry_run": bad})
            for bad in ("maybe", "", None, [], {}, "2")
        ],
        *[
            ("update_map", {"map": "Harbor", "reveal_region": "crypt", "revealed": bad})
            for bad in ("maybe", "", None, [True])
        ],
        *[
            ("move_field", {"entity": "Mira", "field": "fear", "position": bad})
            for bad in (2.5, "2.5", -1, 4, None, "first")
        ],
        *[
            ("update_document", {"document": "Chapter One", "text": "x", "word_count_target": bad})
            for bad in (1500.5, -1, "1500.5", "many", None, True)
        ],
        ("move_field", {"entity": "Mira", "field": "fear"}),
        ("move_field", {"entity": "Mira", "field": "nothing", "position": 0}),
        ("find_replace", {"replace": "x"}),
        ("find_replace", {"find": ["harbor"]}),
        ("update_document", {"document": "Nowhere", "text": "x"}),
        ("update_map", {"map": "Harbor", "reveal_region": "attic"}),
        ("update_map", {"map": "Nowhere", "reveal_region": "crypt"}),
        ("create_entity", {"entity": "Mira"}),
        ("save_content_pack", {"name": " "}),
    ],
)
def test_a_refused_call_changes_nothing(client, tool, arguments):
    ok, text = client.call(tool, **arguments)
    assert not ok
    assert text.startswith("**")
    assert state(client) == first_state()
    assert client.call("undo_last")[1] == "**undo_last**: nothing to undo"


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        *[(word, False) for word in (False, "false", 0, "0", "no", "off")],
        *[(word, True) for word in (True, "true", 1, "yes")],
    ],
)
def test_a_region_is_hidden_or_revealed_as_asked(client, given, shown):
    for region in ("docks", "crypt"):
        assert client.call("update_map", map="Harbor", reveal_region=region, revealed=given)[0]
    assert revealed(client) == {"docks": shown, "crypt": shown}


def test_a_region_is_revealed_when_nothing_is_said(client):
    client.call("update_map", map="Harbor", reveal_region="crypt")
    assert revealed(client)["crypt"] is True


@pytest.mark.parametrize(
    ("position", "after"), [(0, "fear age home role"), ("1", "age fear home role"), (3.0, "age home role fear")]
)
def test_a_field_moves_to_its_place(client, position, after):
    assert client.call("move_field", entity="Mira", field="fear", position=position)[0]
    assert order(client) == after.split()


@pytest.mark.parametrize(("target", "after"), [(3, 3), ("3", 3), (3.0, 3), (0, None), ("0", None)])
def test_a_target_is_set_or_cleared(client, target, after):
    assert client.call("update_document", document="Chapter One", word_count_target=target)[0]
    expected = {"document": "Chapter One", "text": CHAPTER, "word_count_target": after}
    assert client.read("read_document", document="Chapter One") == expected


def test_tags_are_a_set(client):
    assert client.call("create_entity", entity=7, tags=["b", 1, "1", " b ", "", None])[0]
    assert client.read("read_entity", entity="7") == {"entity": "7", "tags": ["1", "b"], "fields": []}


def test_undo_takes_back_exactly_the_last_change(client):
    client.call("update_document", document="Notes", text="one")
    client.call("find_replace", find="harbor", replace="bay")
    client.call("find_replace", find="no such phrase", replace="x")
    client.call("update_document", document="Notes")
    for expected in ("one", "Mira keeps the key."):
        assert client.call("undo_last")[0]
        assert client.read("read_document", document="Chapter One")["text"] == CHAPTER
        assert client.read("read_document", document="Notes")["text"] == expected
    assert client.call("undo_last")[0]
    assert state(client) == first_state()


def test_what_is_written_to_disk_leaves_the_project_alone(client):
    for tool, arguments in (
        ("export_markdown", {}),
        ("backup_project", {}),
        ("save_content_pack", {"name": "../../x y"}),
    ):
        assert client.call(tool, **arguments)[0]
    folder = client.server.project.store.folder()
    assert sorted(path.name for path in folder.iterdir()) == ["backup.json", "manuscript.md", "pack-______x_y.json"]
    assert (folder / "manuscript.md").read_text("utf-8").startswith(f"# Chapter One\n\n{CHAPTER}\n")
    assert json.loads((folder / "backup.json").read_text("utf-8")) == state(client) == first_state()


@pytest.fixture(params=["memory", "file"])
def shared(request, client_of, tmp_path: Path):
    return client_of(probe=True, project=tmp_path / "story.json" if request.param == "file" else None)


def test_a_read_shows_what_another_writer_wrote(shared):
    assert shared.read("tck_other_writer", document="Notes", text="fresh") == {"written": "Notes"}
    assert shared.read("read_document", document="Notes")["text"] == "fresh"
    shared.call("tck_other_writer", document="New", text="also")
    assert shared.read("list_documents")["documents"][-1] == "New"


def test_a_write_keeps_what_another_writer_wrote(shared):
    shared.call("tck_other_writer", document="Notes", text="fresh harbor")
    shared.call("update_document", document="Chapter One", text="mine")
    assert [document["text"] for document in state(shared)["documents"]][::2] == ["mine", "fresh harbor"]


def test_undo_never_takes_back_what_another_writer_wrote(shared):
    shared.call("update_document", document="Chapter One", text="mine")
    shared.call("tck_other_writer", document="Notes", text="fresh")
    assert shared.call("undo_last")[0]
    assert shared.read("read_document", document="Notes")["text"] == "fresh"


def test_a_project_in_a_file_outlives_the_process(client_of, tmp_path):
    file = tmp_path / "story.json"
    client_of(project=file).call("update_document", document="Notes", text="kept \U0001f600 \ud800")
    assert client_of(project=file).read("read_document", document="Notes")["text"] == "kept \U0001f600 \ud800"
    assert [path.name for path in tmp_path.iterdir()] == ["story.json"]


def test_a_project_that_cannot_be_read_refuses_and_recovers(client_of, tmp_path):
    file = tmp_path / "story.json"
    client = client_of(project=file)
    good = file.read_text("utf-8")
    file.write_text("{", encoding="utf-8")
    assert client.call("list_documents") == (False, "The project cannot be read: JSONDecodeError")
    assert client.call("update_document", document="Notes", text="x")[0] is False
    assert file.read_text("utf-8") == "{"
    file.write_text(good, encoding="utf-8")
    assert client.call("list_documents")[0]


def test_two_processes_over_one_file_see_each_other(tmp_path):
    store = FileStore(tmp_path / "story.json", first_state())
    here, there = Project(store), Project(store)
    write_from_outside(store, "Notes", "x")
    for project in (here, there):
        project.refresh()
        assert project.state["documents"][2]["text"] == "x"
