"""Examples for the page of steps and operators: steps that hold on the reference server, values that match or do not.

This module must never hold an example that no test plays.
"""

from __future__ import annotations

from typing import Final

from ..values import Value, lift

STEPS: Final[dict[str, str]] = {
    "request": """\
- request: {method: tools/list}
  expect: {result: {tools: {$contains: {name: read_document}}}}
""",
    "call": """\
- call: {tool: read_document, arguments: {document: Notes}}
  expect: {json: {text: {$contains: key}}}
""",
    "notify": """\
- notify: {method: notifications/made-up}
- silence: {}
""",
    "send_line": """\
- send_line: '{"jsonrpc":"2.0","id":3,"method":'
- reply: {error: {code: -32700}}
""",
    "send_bytes": """\
- send_bytes: 7b ff 7d 0a          # {, a byte that UTF-8 never has, }, line feed
- reply: {error: {code: -32700}}
""",
    "optional": """\
- send_line: no message
- optional: {id: {$optional: null}, error: {code: -32700}}
- request: {method: ping}
""",
    "reply": """\
- send_line: '{"jsonrpc":"2.0","id":"mine","method":"ping"}'
- reply: {id: mine, result: {}}
""",
    "silence": """\
- notify: {method: notifications/cancelled, params: {requestId: 999}}
- silence: {no: [notifications/message]}
""",
    "notification": """\
- call: {tool: tck_register, arguments: {name: late, reply: "yes"}}
- notification: {method: notifications/tools/list_changed}      # of a server that declares tools.listChanged
""",
    "server_request": """\
- call: {tool: summarize_with_model, arguments: {document: Notes}}    # of a server that asks its client's model
- server_request: {method: sampling/createMessage, params: {messages: {$length: {min: 1}}}}
  answer: {result: {role: assistant, model: none, content: {type: text, text: "A key is kept."}}}
""",
    "together": """\
- together:
    - request: {method: ping, id: 1001}
      expect: {id: 1001}
    - call: {tool: read_map, arguments: {map: Harbor}}
      expect: {ok: true}
    - notify: {method: notifications/made-up}
""",
    "close_stdin": """\
- close_stdin: {}
- expect_exit: {}
""",
    "expect_exit": """\
- close_stdin: {}
- expect_exit: {code: 0}
""",
}
"""A few steps for each kind of step, as they stand in a case."""

UNPLAYED: Final = frozenset({"notification", "server_request"})
"""Steps whose examples need a server that does more than the reference; the tests only load them."""

Examples = tuple[tuple[Value, ...], tuple[Value, ...]]


def _values(*values: object) -> tuple[Value, ...]:
    return tuple(map(lift, values))


VALUES: Final[dict[str, Examples]] = {
    "$any": (_values(None, 0, ""), ()),
    "$optional": (_values(None), _values("x")),
    "$type": (_values("x", None), _values(1, True)),
    "$regex": (_values("read_map"), _values("Read Map", 7)),
    "$one_of": (_values(-32600, -32700), _values(-32603)),
    "$not": (_values(0, ""), _values(None)),
    "$contains": (_values([{"name": "a"}, {"name": "tck_read", "more": 1}]), _values([{"name": "a"}], [])),
    "$unordered": (_values([{"name": "b"}, {"name": "a"}]), _values([{"name": "a"}], [{"name": "a"}, {"name": "c"}])),
    "$in_order": (_values([{"name": "a"}, {"name": "x"}, {"name": "b"}]), _values([{"name": "b"}, {"name": "a"}])),
    "$each": (_values([{"type": "text", "text": "x"}], []), _values([{"type": "text"}, {"type": "image"}])),
    "$unique": (_values([{"name": "a"}, {"name": "b"}]), _values([{"name": "a"}, {"name": "a"}])),
    "$length": (_values("x", [1, 2]), _values("", 5)),
    "$exact": (_values({"roots": []}), _values({"roots": [], "more": 1})),
    "$fits": (_values({"name": "a"}), _values({"title": "a"}, [])),
    "$schema_ok": (_values({"type": "object"}), _values({"type": "objekt"}, "object")),
    "$save": (_values("page2"), _values(2)),
    "$literal": (_values({"$ref": "#/x"}), _values({"$ref": "#/y"}, {"$ref": "#/x", "more": 1})),
    "$absent": ((), _values(None, 0)),
}
"""For an operator's example in format: values that match it, and values that do not."""
