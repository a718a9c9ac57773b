// A second answer to the documented system, made by hand: no SDK, no code shared with the reference, Node 18 or later.
// It exists so that cases are known to judge the documentation and not one implementation's habits.
//
//   node server.mjs [--probe]
//
// Ids and other numbers are doubles here: an id goes back by value, 1e2 as 100.

const REVISIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

// ---- the readers of arguments --------------------------------------------------------------------------------------

const ENDS = /^[ \t\n\r\v\f]+|[ \t\n\r\v\f]+$/g;
const trimmed = (text) => text.replace(ENDS, "");
const at = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function scalarText(value) {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? String(value) : "";
    case "boolean":
      return String(value);
    default:
      return "";
  }
}

const readers = {
  bool(object, key) {
    const value = at(object, key);
    if (typeof value === "boolean") return value;
    if (typeof value === "number") return value !== 0;
    if (typeof value !== "string") return null;
    const word = trimmed(value).toLowerCase();
    if (["true", "1", "yes", "on"].includes(word)) return true;
    if (["false", "0", "no", "off"].includes(word)) return false;
    return null;
  },
  int(object, key) {
    let value = at(object, key);
    if (typeof value === "string" && /^-?[0-9]+$/.test(value)) value = Number(value);
    return Number.isSafeInteger(value) ? value + 0 : null;
  },
  string: (object, key) => trimmed(scalarText(at(object, key))),
  string_set(object, key) {
    const value = at(object, key);
    if (!Array.isArray(value)) return [];
    return [...new Set(value.map((element) => trimmed(scalarText(element))))].filter((text) => text !== "");
  },
  string_value: (object, key) => scalarText(at(object, key)),
};

// ---- the server ----------------------------------------------------------------------------------------------------

class Refusal extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const ok = (text) => ({ ok: true, text });
const failed = (text) => ({ ok: false, text });

class Server {
  #tools = new Map();
  #hook = null;
  #revision = null;

  constructor(name, version, instructions) {
    this.info = { name, version };
    this.instructions = instructions;
  }

  get tools() {
    return [...this.#tools.values()].map(({ spec }) => spec);
  }

  // A Map keeps the place of a key that is set again.
  register(spec, handler) {
    this.#tools.set(spec.name, { spec, handler });
  }

  setBeforeToolCall(hook) {
    this.#hook = hook;
  }

  handle(line) {
    if (trimmed(line) === "") return null;
    let message;
    try {
      message = JSON.parse(line);
    } catch (error) {
      return this.#error(null, new Refusal(-32700, `no JSON: ${error.message}`));
    }
    if (Array.isArray(message) && message.length > 0 && this.#revision === "2025-03-26") {
      const replies = message.map((each) => this.#answer(each)).filter((reply) => reply !== null);
      return replies.length > 0 ? `[${replies.join(",")}]` : null;
    }
    return this.#answer(message);
  }

  #answer(message) {
    if (!isObject(message)) return this.#error(null, new Refusal(-32600, "a message is an object"));
    const named = typeof message.method === "string";
    if (!named && ("result" in message || "error" in message)) return null;
    if (named && !("id" in message)) return null;
    const id = ["string", "number"].includes(typeof message.id) ? message.id : null;
    try {
      if (!named) throw new Refusal(-32600, "a message has a method");
      if (message.jsonrpc !== "2.0") throw new Refusal(-32600, "jsonrpc is not 2.0");
      if (id === null || !Number.isFinite(Number(typeof id === "number" ? id : 0)))
        throw new Refusal(-32600, "an id is a string or a number");
      const params = message.params ?? {};
      if (!isObject(params)) throw new Refusal(-32600, "params is no object");
      return JSON.stringify({ jsonrpc: "2.0", id, result: this.#serve(message.method, params) });
    } catch (error) {
      return this.#error(id, error);
    }
  }

  #serve(method, params) {
    switch (method) {
      case "initialize":
        return this.#initialize(params);
      case "ping":
        return {};
      case "tools/list":
        if (params.cursor !== undefined) throw new Refusal(-32602, "no such cursor");
        return { tools: this.tools };
      case "tools/call":
        return this.#call(params);
      default:
        throw new Refusal(-32601, `no method ${method}`);
    }
  }

  #initialize({ protocolVersion, capabilities, clientInfo }) {
    const good = typeof protocolVersion === "string" && isObject(capabilities) && isObject(clientInfo);
    if (!good || typeof clientInfo.name !== "string" || typeof clientInfo.version !== "string")
      throw new Refusal(-32602, "initialize needs protocolVersion, capabilities and clientInfo");
    this.#revision = REVISIONS.includes(protocolVersion) ? protocolVersion : REVISIONS.at(-1);
    return {
      protocolVersion: this.#revision,
      serverInfo: this.info,
      capabilities: { tools: {} },
      ...(this.instructions && { instructions: this.instructions }),
    };
  }

  #call({ name, arguments: given = {} }) {
    if (typeof name !== "string") throw new Refusal(-32602, "a call names its tool");
    if (!isObject(given)) throw new Refusal(-32602, "arguments is no object");
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new Refusal(-32602, `no tool ${name}`);
    let result;
    try {
      this.#hook?.(name);
      result = tool.handler(given);
    } catch {
      result = failed(`${name} could not be run`);
    }
    return { content: [{ type: "text", text: result.text }], ...(!result.ok && { isError: true }) };
  }

  #error(id, { code = -32603, message }) {
    return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } });
  }
}

// ---- the assistant -------------------------------------------------------------------------------------------------

const READ_ONLY = new Set(["list_documents", "read_document", "generate_name"]);

const agent = {
  prompt: (allowWrites) =>
    "Documents are addressed by their names. " +
    (allowWrites
      ? "Each change is one step, which undo_last takes back."
      : "Tools that write are absent: permission to change anything is switched off. Undoing happens elsewhere."),
  tools: (server, allowWrites) =>
    server.tools
      .filter(({ name }) => allowWrites || READ_ONLY.has(name))
      .map(({ name, description, inputSchema }) => ({ name, description, parameters: inputSchema })),
};

// ---- a few tools of its own ----------------------------------------------------------------------------------------

const object = (properties = {}, required = []) => ({ type: "object", properties, required });
const string = { type: "string" };

function addOwnTools(server) {
  let documents = new Map([["Opening", "The bell rang twice."]]);
  const history = [];

  const add = (name, description, inputSchema, handler) => server.register({ name, description, inputSchema }, handler);

  add("list_documents", "Names all documents.", object(), () =>
    ok([...documents.keys()].map((name) => `- **${name}**`).join("\n")),
  );
  add("read_document", "Reads the text of a document.", object({ document: string }, ["document"]), (args) => {
    const text = documents.get(readers.string(args, "document"));
    return text === undefined ? failed("There is no such document.") : ok(text);
  });
  add(
    "find_replace",
    "Replaces a phrase in all documents; with dry_run it only counts.",
    object({ find: string, replace: string, dry_run: { type: "boolean", "x-danger": ["false"] } }, ["find"]),
    (args) => {
      const [find, replace] = [readers.string(args, "find"), readers.string(args, "replace")];
      const dryRun = readers.bool(args, "dry_run");
      if (find === "") return failed("**find** is required.");
      if (dryRun === null && Object.hasOwn(args, "dry_run")) return failed("**dry_run** is neither true nor false.");
      const hits = [...documents.values()].filter((text) => text.includes(find)).length;
      if (!dryRun && hits > 0) {
        history.push(documents);
        documents = new Map([...documents].map(([name, text]) => [name, text.replaceAll(find, () => replace)]));
      }
      return ok(`${hits} documents`);
    },
  );
  add("undo_last", "Takes the last change back.", object(), () => {
    documents = history.pop() ?? documents;
    return ok("Done.");
  });
  add("generate_name", "Makes up a name; changes nothing.", object({ seed: { type: "integer" } }), (args) =>
    ok(["Ada", "Bo", "Cy"][Math.abs(readers.int(args, "seed") ?? 0) % 3]),
  );
}

// ---- the probes ----------------------------------------------------------------------------------------------------

function addProbes(server) {
  const log = [];
  const json = (value) => ok(JSON.stringify(value));
  const add = (name, properties, required, handler) =>
    server.register({ name, description: `The probe ${name}.`, inputSchema: object(properties, required) }, handler);

  add("tck_read", { reader: string, args: { type: "object" }, key: string }, ["reader", "args", "key"], (given) => {
    const { reader, args, key } = given;
    if (!Object.hasOwn(readers, reader)) return failed("no such reader");
    if (!isObject(args) || typeof key !== "string") return failed("args is an object, key a string");
    return json({ contains: Object.hasOwn(args, key), value: readers[reader](args, key) });
  });

  const tool = { name: string, reply: string, description: string, schema: { type: "object" } };
  add("tck_register", tool, ["name", "reply"], ({ name, reply, description = "", schema = { type: "object" } }) => {
    if ([name, reply, description].some((each) => typeof each !== "string") || !isObject(schema))
      return failed("name, reply and description are strings, schema an object");
    server.register({ name, description, inputSchema: schema }, () => ok(reply));
    return json({ registered: name });
  });

  add("tck_hook", { action: { enum: ["set", "clear", "log"] }, label: string }, ["action"], ({ action, label }) => {
    if (action === "set") server.setBeforeToolCall((name) => log.push(`${label}:${name}`));
    else if (action === "clear") server.setBeforeToolCall(null);
    else if (action !== "log") return failed("action is set, clear or log");
    return json({ log });
  });

  add("tck_agent", { allow_writes: { type: "boolean" } }, ["allow_writes"], ({ allow_writes: allowWrites }) => {
    if (typeof allowWrites !== "boolean") return failed("allow_writes is true or false");
    return json({
      prompt: agent.prompt(allowWrites),
      tools: agent.tools(server, allowWrites),
      read_only_names: [...READ_ONLY],
    });
  });

  add("tck_profile", {}, [], () => json({ profiles: ["documented"] }));
  add("tck_fail", { text: string }, ["text"], ({ text }) => failed(String(text)));
}

// ---- the loop ------------------------------------------------------------------------------------------------------

const server = new Server("second", "0.1", "Documents are addressed by their names; undo_last takes a change back.");
addOwnTools(server);
if (process.argv.includes("--probe")) addProbes(server);

const LF = 0x0a;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function serveLine(bytes) {
  let line;
  try {
    line = utf8.decode(bytes);
  } catch {
    line = "\ufffd"; // no JSON either, and so answered as such
  }
  const reply = server.handle(line);
  if (reply !== null) process.stdout.write(`${reply}\n`);
}

let pending = [];
process.stdin.on("data", (chunk) => {
  let start = 0;
  for (let end; (end = chunk.indexOf(LF, start)) !== -1; start = end + 1) {
    serveLine(Buffer.concat([...pending, chunk.subarray(start, end)]));
    pending = [];
  }
  pending.push(chunk.subarray(start));
});
process.stdin.on("end", () => serveLine(Buffer.concat(pending)));
process.stdout.on("error", () => process.exit(0));
