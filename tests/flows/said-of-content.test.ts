import { chineseOf } from "@parley/core/chinese";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

/** A form with one file, and options beside it. */
function form(bytes: string, options: Readonly<Record<string, string>> = {}, field = "file"): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(options)) made.set(name, value);
  if (bytes !== "") made.set(field, new Blob([bytes]), "given.txt");
  return made;
}

/** What a client that reads Chinese shows of a refusal, and the sentence for all others. */
async function said(method: string, path: string, given?: object): Promise<string> {
  const isForm = given instanceof FormData;
  const response = await fetch(new URL(path, parley.address), {
    method,
    headers: {
      authorization: `Bearer ${api.token}`,
      ...(given && !isForm && { "content-type": "application/json" }),
    },
    ...(given && { body: isForm ? given : JSON.stringify(given) }),
  });
  const { success, error } = (await response.json()) as { readonly success: boolean; readonly error: string };
  expect(success).toBe(false);
  const detail = JSON.parse(response.headers.get("x-parley-error") ?? "{}");
  return `${chineseOf(detail)} | ${error}`;
}

const TOOL = { name: "tide", description: "Tells the tide", implementation: { type: "static", result: "high" } };

describe("a refusal is said in Chinese and English:", () => {
  test.each([
    ["POST", "/api/knowledge/files", form("", { tags: "a" }), "必填 | file: is required"],
    ["POST", "/api/knowledge/files", form("x", { odd: "a" }), "未知 | odd: is not known"],
    ["POST", "/api/knowledge/files", form("x", { tags: "a".repeat(500) }), /^最多 \d+ 个字符 \| tags/],
    [
      "POST",
      "/api/memory",
      { title: "t", content: "x", character_id: "char_none" },
      "找不到角色“char_none” | character_id: character 'char_none' does not exist",
    ],
    ["POST", "/api/memory/import", { memories: [] }, "其中没有记忆 | memories: nothing to read"],
    ["POST", "/api/memory/merge", { ids: ["mem_1", "mem_2"] }, "找不到“mem_1” | memory 'mem_1' does not exist"],
    ["POST", "/api/skills/storage/none/file/.x", form("x"), /^各级名称不能以点开头/],
    [
      "POST",
      "/api/tools",
      { ...TOOL, parameters: { type: "array" } },
      "必须是 object 类型的 JSON Schema | parameters: must be a JSON Schema of type object",
    ],
    [
      "POST",
      "/api/tools",
      { ...TOOL, implementation: { type: "static", result: "{{moon}}" } },
      "{{moon}} 不是此工具的参数 | implementation: {{moon}} is no argument of the tool",
    ],
  ] as const)("%s %s #%#", async (method, path, given, expected) => {
    expect(await said(method, path, given)).toEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
  });
});
