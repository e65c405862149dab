import { describe, expect, test } from "vitest";
import {
  argumentRule,
  badHeader,
  badVariable,
  draftOf,
  fieldsOf,
  idOf,
  NEW_SERVER,
  withAllowed,
  withConfirm,
  withNewAllowed,
} from "./mcp-draft.ts";

const lists = (tool_allow: string[], tool_deny: string[] = [], confirm_tools: string[] = []) => ({
  tool_allow,
  tool_deny,
  confirm_tools,
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
        tool_count: 0,
        server_info: null,
        builtin: false,
      },
      ...{ last_connected_at: null, last_error: null, warnings: [] },
    };
    expect(fieldsOf(draftOf(stored))).toEqual(fieldsOf(stdio));
  });

  test("is told which line cannot be read", () => {
    expect(badHeader("Authorization: KEY\nX-Other: secret value")).toBe("X-Other: secret value");
    expect(badHeader("\n")).toBeUndefined();
    expect(badVariable("A=1\nB")).toBe("B");
  });

  test.each([
    ["node", "script"],
    ["/usr/bin/python3.12", "script"],
    ["npx", "package"],
    ["/opt/weather", undefined],
  ])("%s takes a %s first", (command, rule) => expect(argumentRule(command)).toBe(rule));

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

  test("allow or refuse what comes later, and leave the others as they are", () => {
    const tools = [
      { name: "a", enabled: true },
      { name: "b", enabled: false },
    ];
    expect(withNewAllowed(lists([], ["b"]), tools, false)).toEqual({ tool_allow: ["a"], tool_deny: ["b"] });
    expect(withNewAllowed(lists(["a"]), tools, true)).toEqual({ tool_allow: [], tool_deny: ["b"] });
  });

  test("ask for one", () => {
    expect(withConfirm(lists([], [], ["a"]), "b", true)).toEqual({ confirm_tools: ["a", "b"] });
    expect(withConfirm(lists([], [], ["a"]), "a", false)).toEqual({ confirm_tools: [] });
  });
});
