import { describe, expect, test } from "vitest";
import {
  findCommandLine,
  findInvalidHeader,
  findInvalidVariable,
  NEW_SERVER,
  setAllConfirmation,
  setToolAllowed,
  setToolConfirmation,
  toDraft,
  toDraftFromLine,
  toId,
  toServerFields,
} from "./server-draft.ts";

const lists = (
  tool_allow: string[],
  tool_deny: string[] = [],
  confirm_tools: string[] = [],
  trusted_tools: string[] = [],
) => ({
  tool_allow,
  tool_deny,
  confirm_tools,
  trusted_tools,
});

describe("a draft of an MCP server", () => {
  test("is sent with the fields of its transport, and is read back unchanged", () => {
    const http = {
      ...NEW_SERVER,
      name: "a",
      url: " https://a.example/mcp ",
      headers: "Authorization: KEY\n",
      args: "x",
    };
    const fields = toServerFields(http);
    expect(fields).toMatchObject({ url: "https://a.example/mcp", headers_env: { Authorization: "KEY" }, args: [] });
    const stdio = {
      ...http,
      transport: "stdio" as const,
      command: "npx",
      args: "one@1.2.3\n--flag=a b\n",
      env: "MODE=a=b",
    };
    expect(toServerFields(stdio)).toMatchObject({
      url: "",
      headers_env: {},
      command: "npx",
      args: ["one@1.2.3", "--flag=a b"],
      env: { MODE: "a=b" },
    });
    const stored = {
      ...toServerFields(stdio),
      ...lists([]),
      ...{
        id: "a",
        enabled: true,
        connected: false,
        connecting: false,
        connection_state: "disconnected" as const,
        tool_count: 0,
        server_info: null,
        builtin: false,
      },
      ...{
        last_connected_at: null,
        last_error: null,
        last_error_detail: null,
        kept_secrets: [],
        sign_in: "none" as const,
        warnings: [],
        warning_details: [],
      },
      ...{ created_at: "2026-01-06T10:00:00.000Z", updated_at: "2026-01-06T10:00:00.000Z", revision: 1 },
    };
    expect(toServerFields(toDraft(stored))).toEqual(toServerFields(stdio));
  });

  test("reports the line that cannot be parsed", () => {
    expect(findInvalidHeader("Authorization: KEY\nX-Other: secret value")).toBe("X-Other: secret value");
    expect(findInvalidHeader("\n")).toBeUndefined();
    expect(findInvalidVariable("A=1\nB")).toBe("B");
  });

  test("uses one of the operator's command lines, or another one", () => {
    const lines = [{ name: "files", words: ["node", "/opt/my tools/server.js", "--flag"] }];
    const draft = toDraftFromLine(lines[0] as (typeof lines)[0]);
    expect(findCommandLine(draft, lines)?.name).toBe("files");
    expect(findCommandLine({ ...draft, args: "/opt/my tools/server.js" }, lines)).toBeUndefined();
  });

  test.each([
    ["Weather (EU)", "weather-eu"],
    ["天气", "server"],
    ["a__b", "a-b"],
  ])("gets the id of its name: %s gets %s", (name, id) => expect(toId(name)).toBe(id));
});

describe("the tool lists of a server", () => {
  test("allow and deny a single tool", () => {
    expect(setToolAllowed(lists([]), "a", false)).toEqual({ tool_allow: [], tool_deny: ["a"] });
    expect(setToolAllowed(lists([], ["a", "b"]), "a", true)).toEqual({ tool_allow: [], tool_deny: ["b"] });
    expect(setToolAllowed(lists(["b"]), "a", true)).toEqual({ tool_allow: ["b", "a"], tool_deny: [] });
  });

  test("require confirmation for one tool, and trust it when it is removed", () => {
    expect(setToolConfirmation(lists([], [], ["a"]), "b", true)).toEqual({
      confirm_tools: ["a", "b"],
      trusted_tools: [],
    });
    expect(setToolConfirmation(lists([], [], ["a"]), "a", false)).toEqual({ confirm_tools: [], trusted_tools: ["a"] });
    expect(setToolConfirmation(lists([], [], [], ["a"]), "a", true)).toEqual({
      confirm_tools: ["a"],
      trusted_tools: [],
    });
  });

  test("require confirmation for all tools, and restore the earlier choice", () => {
    expect(setAllConfirmation(lists([], [], ["a"]), true)).toEqual({ confirm_tools: ["a", "*"] });
    expect(setAllConfirmation(lists([], [], ["a", "*"]), false)).toEqual({ confirm_tools: ["a"] });
  });
});
