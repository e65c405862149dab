import { join } from "node:path";

/** Path of the MCP server for tests: `node mcp-tool-server.ts <manner>`. */
export const TOOL_SERVER = join(import.meta.dirname, "mcp-tool-server.ts");

/** Creates a server entry that starts a command line. */
export function toStdioEntry([command, ...args]: readonly [string, ...string[]]) {
  return { transport: "stdio", command, args } as const;
}

/** Section `[mcp_client]` with the command lines that entries may start. */
export function toCommandLinesConfig(lines: readonly (readonly string[])[]): string {
  const named = lines.map((words, index) => `server.line${index} = ${words.map((word) => `"${word}"`).join(" ")}`);
  return `[mcp_client]\n${named.join("\n")}\n`;
}

/** Returns the command lines of the test server in these manners. */
export function toToolServerCommands(...manners: readonly string[]): readonly (readonly string[])[] {
  return manners.map((manner) => [process.execPath, TOOL_SERVER, manner]);
}
