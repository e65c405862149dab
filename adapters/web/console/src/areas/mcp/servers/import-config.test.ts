import { expect, test } from "vitest";
import { type ParsedConfig, type PastedServer, parseConfig } from "./import-config.ts";

const read = (json: unknown, taken: readonly string[] = []) => parseConfig(JSON.stringify(json), taken);
const serversOf = (pasted: ParsedConfig): readonly PastedServer[] => ("servers" in pasted ? pasted.servers : []);

test("a program from Claude Desktop is imported with its arguments, and secret variables are listed separately", () => {
  const env = { GITHUB_TOKEN: "ghp_1", LOG_LEVEL: "debug" };
  const [server] = serversOf(read({ mcpServers: { GitHub: { command: "npx", args: ["-y", "github@1.0.0"], env } } }));
  expect(server).toMatchObject({
    id: "github",
    fields: { name: "GitHub", transport: "stdio", command: "npx", args: ["-y", "github@1.0.0"], enabled: true },
    secrets: { GITHUB_TOKEN: "ghp_1" },
    problem: undefined,
  });
  expect(server?.fields).toMatchObject({ env: { LOG_LEVEL: "debug" }, env_names: ["GITHUB_TOKEN"], url: "" });
});

test("an address from VS Code is imported with its headers as secrets, and prompted values are empty", () => {
  const headers = { Authorization: "Bearer abc", "X-Tenant": `$${"{input:tenant}"}` };
  const pasted = read({ inputs: [], servers: { docs: { type: "http", url: "https://docs.example/mcp", headers } } });
  expect(serversOf(pasted)).toMatchObject([
    {
      fields: {
        transport: "streamable-http",
        url: "https://docs.example/mcp",
        headers_env: { Authorization: "MCP_DOCS_AUTHORIZATION", "X-Tenant": "MCP_DOCS_X_TENANT" },
        command: "",
      },
      secrets: { MCP_DOCS_AUTHORIZATION: "Bearer abc", MCP_DOCS_X_TENANT: "" },
    },
  ]);
});

test("a bare list of servers is imported too, each with a free id, and a disabled one stays disabled", () => {
  const servers = serversOf(read({ a: { url: "http://x" }, "A!": { command: "uvx", disabled: true } }, ["server"]));
  expect(new Set(servers.map(({ id }) => id.toLowerCase())).size).toBe(2);
  expect(servers.map(({ id }) => id)).not.toContain("server");
  expect(servers.map(({ fields }) => fields.enabled)).toEqual([true, false]);
});

test.each([
  ["what is no JSON", "{ not json", "pasteNoJson"],
  ["a list", "[]", "pasteNoJson"],
  ["nothing", "{}", "pasteNoServers"],
  ["another configuration", '{"editor":{"fontSize":12}}', "pasteNoServers"],
])("a configuration %s is reported as unreadable", (_, text, problem) => {
  expect(parseConfig(text, [])).toEqual({ problem });
});

test("a server that cannot be reached as configured is reported, and the others are imported", () => {
  const pasted = read({
    mcpServers: { old: { type: "sse", url: "https://x/sse" }, odd: { command: "" }, good: { url: "https://y" } },
  });
  expect(serversOf(pasted).map(({ problem }) => problem)).toEqual(["pasteSse", "pasteNoCommand", undefined]);
});
