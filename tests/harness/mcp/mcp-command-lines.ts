import { join } from "node:path";

/** The server for tests that is started: `node mcp-tool-server.ts <manner>`. */
export const TOOL_SERVER = join(import.meta.dirname, "mcp-tool-server.ts");

/** Builds the entry that starts a command line. */
export function toStdioEntry([command, ...args]: readonly [string, ...string[]]) {
  return { transport: "stdio", command, args } as const;
}

/** Section `[mcp_client]` with the command lines that entries may start. */
export function toCommandLinesConfig(lines: readonly (readonly string[])[]): string {
  const named = lines.map((words, index) => `server.line${index} = ${words.map((word) => `"${word}"`).join(" ")}`);
  return `[mcp_client]\n${named.join("\n")}\n`;
}

/** The command lines of the test's server in these manners. */
export function toToolServerCommands(...manners: readonly string[]): readonly (readonly string[])[] {
  return manners.map((manner) => [process.execPath, TOOL_SERVER, manner]);
}
