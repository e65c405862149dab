import { describe, expect, test } from "vitest";
import {
  badHeader,
  badVariable,
  commandLineOf,
  draftOf,
  draftOfLine,
  fieldsOf,
  idOf,
  NEW_SERVER,
  withAllowed,
  withConfirm,
  withConfirmAll,
} from "./mcp-draft.ts";

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

describe("a server that is being written", () => {
  test("is sent with what belongs to its way of being reached, and comes back as it was", () => {
    const http = {
      ...NEW_SERVER,
      name: "a",
      url: " https://a.example/mcp ",
      headers: "Authorization: KEY\n",
      args: "x",
    };
    const fields = fieldsOf(http);
    expect(fields).toMatchObject({ url: "https://a.example/mcp", headers_env: { Authorization: "KEY" }, args: [] });
    const stdio = {
      ...http,
      transport: "stdio" as const,
      command: "npx",
      args: "one@1.2.3\n--flag=a b\n",
      env: "MODE=a=b",
    };
    expect(fieldsOf(stdio)).toMatchObject({
      url: "",
      headers_env: {},
      command: "npx",
      args: ["one@1.2.3", "--flag=a b"],
      env: { MODE: "a=b" },
    });
    const stored = {
      ...fieldsOf(stdio),
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
    expect(fieldsOf(draftOf(stored))).toEqual(fieldsOf(stdio));
  });

  test("is told which line cannot be read", () => {
    expect(badHeader("Authorization: KEY\nX-Other: secret value")).toBe("X-Other: secret value");
    expect(badHeader("\n")).toBeUndefined();
    expect(badVariable("A=1\nB")).toBe("B");
  });

  test("is a command line of the operator, or another one", () => {
    const lines = [{ name: "files", words: ["node", "/opt/my tools/server.js", "--flag"] }];
    const draft = draftOfLine(lines[0] as (typeof lines)[0]);
    expect(commandLineOf(draft, lines)?.name).toBe("files");
    expect(commandLineOf({ ...draft, args: "/opt/my tools/server.js" }, lines)).toBeUndefined();
  });

  test.each([
    ["Weather (EU)", "weather-eu"],
    ["天气", "server"],
    ["a__b", "a-b"],
  ])("%s gets the id %s", (name, id) => expect(idOf(name)).toBe(id));
});

describe("lists of tools", () => {
  test("allow and deny one", () => {
    expect(withAllowed(lists([]), "a", false)).toEqual({ tool_allow: [], tool_deny: ["a"] });
    expect(withAllowed(lists([], ["a", "b"]), "a", true)).toEqual({ tool_allow: [], tool_deny: ["b"] });
    expect(withAllowed(lists(["b"]), "a", true)).toEqual({ tool_allow: ["b", "a"], tool_deny: [] });
  });

  test("ask for one, and trust it when it is not asked for any more", () => {
    expect(withConfirm(lists([], [], ["a"]), "b", true)).toEqual({ confirm_tools: ["a", "b"], trusted_tools: [] });
    expect(withConfirm(lists([], [], ["a"]), "a", false)).toEqual({ confirm_tools: [], trusted_tools: ["a"] });
    expect(withConfirm(lists([], [], [], ["a"]), "a", true)).toEqual({ confirm_tools: ["a"], trusted_tools: [] });
  });

  test("ask for all, and for each as it was before", () => {
    expect(withConfirmAll(lists([], [], ["a"]), true)).toEqual({ confirm_tools: ["a", "*"] });
    expect(withConfirmAll(lists([], [], ["a", "*"]), false)).toEqual({ confirm_tools: ["a"] });
  });
});
