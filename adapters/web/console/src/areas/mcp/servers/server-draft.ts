import type { CommandLine, McpServer, McpServerFields, ToolLists } from "../api.ts";

/** A server in the form; lists are texts with one item per line. */
export interface McpDraft extends Pick<McpServerFields, "name" | "transport" | "description" | "auto_connect"> {
  readonly url: string;
  readonly headers: string;
  readonly command: string;
  readonly args: string;
  readonly env: string;
  readonly env_names: readonly string[];
  readonly timeout_s: number;
}

export const NEW_SERVER: McpDraft = {
  name: "",
  transport: "streamable-http",
  description: "",
  auto_connect: true,
  url: "",
  headers: "",
  command: "",
  args: "",
  env: "",
  env_names: [],
  timeout_s: 30,
};

export function toDraft(server: McpServer): McpDraft {
  const { name, transport, description, auto_connect, url, command, env_names, timeout_s } = server;
  const formatPairs = (pairs: Readonly<Record<string, string>>, separator: string) =>
    Object.entries(pairs)
      .map(([key, value]) => `${key}${separator}${value}`)
      .join("\n");
  return {
    ...{ name, transport, description, auto_connect, url, command, env_names, timeout_s },
    headers: formatPairs(server.headers_env, ": "),
    args: server.args.join("\n"),
    env: formatPairs(server.env, "="),
  };
}

/** Converts the draft to request fields; those of the other transport are empty. */
export function toServerFields(draft: McpDraft): McpServerFields {
  const { name, transport, description, auto_connect, timeout_s } = draft;
  const isHttp = transport === "streamable-http";
  return {
    ...{ name, transport, description, auto_connect, timeout_s },
    url: isHttp ? draft.url.trim() : "",
    headers_env: isHttp ? parsePairs(draft.headers, HEADER) : {},
    command: isHttp ? "" : draft.command,
    args: isHttp ? [] : splitLines(draft.args),
    env: isHttp ? {} : parsePairs(draft.env, VARIABLE),
    env_names: isHttp ? [] : draft.env_names,
  };
}

const HEADER = /^([A-Za-z0-9-]{1,100})\s*:\s*([A-Z_][A-Z0-9_]{0,127})$/;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]{0,127})=(.*)$/;

/** Returns the first line that is not a header with a variable. */
export function findInvalidHeader(text: string): string | undefined {
  return splitLines(text).find((line) => !HEADER.test(line));
}

export function findInvalidVariable(text: string): string | undefined {
  return splitLines(text).find((line) => !VARIABLE.test(line));
}

function parsePairs(text: string, pattern: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(
    splitLines(text).flatMap((line) => {
      const [, key, value] = pattern.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );
}

function splitLines(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Finds the operator's command line that the draft uses. */
export function findCommandLine(
  { command, args }: Pick<McpDraft, "command" | "args">,
  lines: readonly CommandLine[],
): CommandLine | undefined {
  const wantedWords = JSON.stringify([command, ...splitLines(args)]);
  return lines.find(({ words }) => JSON.stringify(words) === wantedWords);
}

export function toDraftFromLine({ words: [command = "", ...args] }: CommandLine): Pick<McpDraft, "command" | "args"> {
  return { command, args: args.join("\n") };
}

/** Returns the lists with one tool allowed or denied. */
export function setToolAllowed(
  { tool_allow, tool_deny }: ToolLists,
  tool: string,
  isAllowed: boolean,
): Pick<ToolLists, "tool_allow" | "tool_deny"> {
  const others = tool_deny.filter((name) => name !== tool);
  if (!isAllowed) return { tool_allow, tool_deny: [...others, tool] };
  const isListed = tool_allow.length === 0 || tool_allow.includes(tool);
  return { tool_allow: isListed ? tool_allow : [...tool_allow, tool], tool_deny: others };
}

/** Returns the lists with or without a confirmation for one tool. */
export function setToolConfirmation(
  { confirm_tools, trusted_tools }: ToolLists,
  tool: string,
  confirms: boolean,
): Pick<ToolLists, "confirm_tools" | "trusted_tools"> {
  const [confirmed, trusted] = [confirm_tools, trusted_tools].map((list) => list.filter((name) => name !== tool));
  if (confirms) return { confirm_tools: [...(confirmed ?? []), tool], trusted_tools: trusted ?? [] };
  return { confirm_tools: confirmed ?? [], trusted_tools: [...(trusted ?? []), tool] };
}

/** Returns the lists with a confirmation for all tools, or as each tool declares. */
export function setAllConfirmation({ confirm_tools }: ToolLists, confirms: boolean): Pick<ToolLists, "confirm_tools"> {
  const others = confirm_tools.filter((name) => name !== "*");
  return { confirm_tools: confirms ? [...others, "*"] : others };
}

/** Makes an id from a name. */
export function toId(name: string): string {
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 30);
  return id.length < 2 ? "server" : id;
}
