// A small server on @modelcontextprotocol/server, line 2.
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

serveStdio(() => {
  const server = new McpServer({ name: "field-server2", version: "1.0.0" });
  server.registerTool(
    "types",
    {
      description: "One argument of each common type, told back.",
      inputSchema: z.object({ flag: z.boolean(), count: z.number().int(), text: z.string(), items: z.array(z.string()) }),
    },
    async (given) => ({ content: [{ type: "text", text: JSON.stringify(given) }] }),
  );
  return server;
});
