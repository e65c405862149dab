import type { CommandLine, McpServer, McpServerFields, ToolLists } from "./api.ts";

/** A server as it is being written: lists as lines of text. */
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

export function draftOf(server: McpServer): McpDraft {
  const { name, transport, description, auto_connect, url, command, env_names, timeout_s } = server;
  const lines = (pairs: Readonly<Record<string, string>>, sign: string) =>
    Object.entries(pairs)
      .map(([key, value]) => `${key}${sign}${value}`)
      .join("\n");
  return {
    ...{ name, transport, description, auto_connect, url, command, env_names, timeout_s },
    headers: lines(server.headers_env, ": "),
    args: server.args.join("\n"),
    env: lines(server.env, "="),
  };
}

/** What is sent: what belongs to the other way of reaching it is left empty. */
export function fieldsOf(draft: McpDraft): McpServerFields {
  const { name, transport, description, auto_connect, timeout_s } = draft;
  const isHttp = transport === "streamable-http";
  return {
    ...{ name, transport, description, auto_connect, timeout_s },
    url: isHttp ? draft.url.trim() : "",
    headers_env: isHttp ? pairsOf(draft.headers, HEADER) : {},
    command: isHttp ? "" : draft.command,
    args: isHttp ? [] : linesOf(draft.args),
    env: isHttp ? {} : pairsOf(draft.env, VARIABLE),
    env_names: isHttp ? [] : draft.env_names,
  };
}

const HEADER = /^([A-Za-z0-9-]{1,100})\s*:\s*([A-Z_][A-Z0-9_]{0,127})$/;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]{0,127})=(.*)$/;

/** The first line that cannot be read. */
export function badHeader(text: string): string | undefined {
  return linesOf(text).find((line) => !HEADER.test(line));
}

export function badVariable(text: string): string | undefined {
  return linesOf(text).find((line) => !VARIABLE.test(line));
}

function pairsOf(text: string, form: RegExp): Readonly<Record<string, string>> {
  return Object.fromEntries(
    linesOf(text).flatMap((line) => {
      const [, key, value] = form.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** The operator's command line that this is. */
export function commandLineOf(
  { command, args }: Pick<McpDraft, "command" | "args">,
  lines: readonly CommandLine[],
): CommandLine | undefined {
  const wanted = JSON.stringify([command, ...linesOf(args)]);
  return lines.find(({ words }) => JSON.stringify(words) === wanted);
}

export function draftOfLine({ words: [command = "", ...args] }: CommandLine): Pick<McpDraft, "command" | "args"> {
  return { command, args: args.join("\n") };
}

/** The lists after one tool was allowed or denied. */
export function withAllowed(
  { tool_allow, tool_deny }: ToolLists,
  tool: string,
  isAllowed: boolean,
): Pick<ToolLists, "tool_allow" | "tool_deny"> {
  const others = tool_deny.filter((name) => name !== tool);
  if (!isAllowed) return { tool_allow, tool_deny: [...others, tool] };
  const isListed = tool_allow.length === 0 || tool_allow.includes(tool);
  return { tool_allow: isListed ? tool_allow : [...tool_allow, tool], tool_deny: others };
}

/** The lists after a person is to be asked for a tool, or not any more. */
export function withConfirm(
  { confirm_tools, trusted_tools }: ToolLists,
  tool: string,
  asks: boolean,
): Pick<ToolLists, "confirm_tools" | "trusted_tools"> {
  const [asked, trusted] = [confirm_tools, trusted_tools].map((list) => list.filter((name) => name !== tool));
  if (asks) return { confirm_tools: [...(asked ?? []), tool], trusted_tools: trusted ?? [] };
  return { confirm_tools: asked ?? [], trusted_tools: [...(trusted ?? []), tool] };
}

/** The lists after a person is to be asked for all of them, or for each as it says. */
export function withConfirmAll({ confirm_tools }: ToolLists, asks: boolean): Pick<ToolLists, "confirm_tools"> {
  const others = confirm_tools.filter((name) => name !== "*");
  return { confirm_tools: asks ? [...others, "*"] : others };
}

/** An id made of a name. */
export function idOf(name: string): string {
  const id = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 30);
  return id.length < 2 ? "server" : id;
}
