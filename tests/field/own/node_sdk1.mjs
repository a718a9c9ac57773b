// A small server on @modelcontextprotocol/sdk, line 1.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "field-sdk1", version: "1.0.0" });

server.registerTool(
  "types",
  {
    description: "One argument of each common type, told back.",
    inputSchema: { flag: z.boolean(), count: z.number().int(), text: z.string(), items: z.array(z.string()) },
  },
  async (given) => ({ content: [{ type: "text", text: JSON.stringify(given) }] }),
);
server.registerTool("nothing", { description: "No arguments." }, async () => ({ content: [] }));

await server.connect(new StdioServerTransport());
