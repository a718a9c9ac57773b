"""A server with one tool, `say`. `--loud`: it answers in capitals; `--codes`: another code for what is unknown."""

import json
import os
import sys

LOUD = "--loud" in sys.argv
CODE = -32603 if "--codes" in sys.argv else -32601
TOOL = {"name": "say", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}


def result(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "small", "version": "2.1"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        text = params["arguments"]["text"]
        text = os.environ.get("SMALL_SAYS", text)
        return {"content": [{"type": "text", "text": text.upper() if LOUD else text}]}
    return None


if "--silent" in sys.argv:
    sys.exit(0)
if "SMALL_SAYS" in os.environ:
    print("saying", os.environ["SMALL_SAYS"], file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    found = None
    if message["method"] != "initialize" or message["params"]["protocolVersion"] <= "2025-11-25":
        found = result(message["method"], message.get("params", {}))
    reply = {"result": found} if found is not None else {"error": {"code": CODE, "message": "no such method"}}
    print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)
