import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** The result of a tool call: its object, or its error code. */
export interface ToolAnswer {
  readonly ok: boolean;
  readonly error?: string;
  readonly [field: string]: unknown;
}

/** An MCP client that calls tools over a real transport with the official SDK. */
export interface McpCaller extends AsyncDisposable {
  readonly client: Client;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
}

export async function connectMcp(address: string, token: string): Promise<McpCaller> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  return createMcpCaller(new StreamableHTTPClientTransport(new URL(address), { requestInit }) as Transport);
}

export async function createMcpCaller(transport: Transport): Promise<McpCaller> {
  const client = new Client({ name: "parley-test", version: "1" });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      const { content } = await client.callTool({ name, arguments: args });
      return JSON.parse((content as [{ text: string }])[0].text);
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
