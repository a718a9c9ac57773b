// A small server on tmcp; the adapter that turns schemas into JSON Schema is left out, so no tool takes arguments.
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";

const server = new McpServer(
  { name: "field-tmcp", version: "1.0.0", description: "A server of the field run." },
  { capabilities: { tools: { listChanged: true } } },
);
server.tool({ name: "nothing", description: "No arguments." }, async () => ({ content: [{ type: "text", text: "done" }] }));

new StdioTransport(server).listen();
