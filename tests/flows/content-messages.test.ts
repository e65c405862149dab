import { fillDetail } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

/** Builds a form with one file and options. */
function form(bytes: string, options: Readonly<Record<string, string>> = {}, field = "file"): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(options)) made.set(name, value);
  if (bytes !== "") made.set(field, new Blob([bytes]), "given.txt");
  return made;
}

/** Returns the Chinese and the English error of a request. */
async function chineseError(method: string, path: string, given?: object): Promise<string> {
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
  return `${fillDetail(detail, "zh")} | ${error}`;
}

const TOOL = { name: "tide", description: "Tells the tide", implementation: { type: "static", result: "high" } };

describe("a rejection has a Chinese and an English text:", () => {
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
    ["POST", "/api/memory/import", { memories: [] }, "其中没有记忆 | memories: it contains no memories"],
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
      "{{moon}} 不是此工具的参数 | implementation: {{moon}} is not an argument of the tool",
    ],
    [
      "POST",
      "/api/world-books",
      { name: "Tide", entries: [{ content: "x" }, { keywords: "sea", content: "x" }] },
      "必须是列表 | entries.1.keywords: must be an array",
    ],
    [
      "POST",
      "/api/world-books",
      { name: "Tide", entries: [{ keywords: ["("], use_regex: true, content: "x" }] },
      /^不是有效的正则表达式：.+ \| entries\.0\.keywords\.0: /,
    ],
    [
      "POST",
      "/api/world-books/import",
      { what: 1 },
      "不是世界书、角色卡的 Lorebook 或 World Info 文件 | file: is not a world book, a character card's lorebook or a World Info file",
    ],
    [
      "POST",
      "/api/world-books/import-all",
      { world_books: [] },
      "其中没有世界书 | world_books: it contains no world books",
    ],
    ["POST", "/api/world-books/test-match", { message: " " }, "不能为空 | message: must not be blank"],
    [
      "POST",
      "/api/characters",
      { name: "Tide", world_book_ids: ["wb_none"] },
      "找不到世界书“wb_none” | world_book_ids: world book 'wb_none' does not exist",
    ],
    [
      "POST",
      "/api/person-links",
      { name: "a", target_id: "web:user:a", same_as: "web:user:a" },
      "与地址相同 | same_as: is the address itself",
    ],
    [
      "POST",
      "/api/characters",
      { name: "Tide", portrait: "cat.png" },
      /^必须是已保存的文件（\/static\/files\/…）或 https 地址 \| portrait: must be a stored file/,
    ],
    ["POST", "/api/characters", { name: "a\u202eb" }, /^不能包含控制字符和改变文字方向的字符 \| name: /],
    ["POST", "/api/skills", { name: ".." }, /^须为 1 至 64 个字母.* \| name: must be 1 to 64 letters/],
    ["POST", "/api/tools", { ...TOOL, id: "odd" }, /^必须是 tool_ 加最多 60 个字符.* \| id: must be tool_/],
    [
      "POST",
      "/api/mcp-servers",
      { id: "_x", name: "x", transport: "stdio" },
      /^须为 2 至 40 个字符.* \| id: must be 2/,
    ],
    [
      "POST",
      "/api/push/subscribe",
      { subscription: { endpoint: "https://push.example/x", keys: { auth: "AAAA", p256dh: "AAAA" } } },
      /^长度必须为 65 字节 \| subscription\.keys\.p256dh: must be 65 bytes long$/,
    ],
    [
      "POST",
      "/api/avatar/menu-options",
      { avatar: { a: "x".repeat(5_000) } },
      "超过 4 KiB | avatar: is larger than 4 KiB",
    ],
    ["PUT", "/api/settings", { features: { sticker_api_url: "ftp://x" } }, /^须为 http 或 https 地址/],
    [
      "POST",
      "/api/sessions/web:1/chat",
      { message: "x", attachments: [{ type: "image", url: "ftp://x/y" }] },
      /^须为 https 地址，或已上传且仍存在的文件 \| attachments\.0\.url: must be/,
    ],
    ["PUT", "/api/personality", {}, "没有需要更新的内容 | nothing to update"],
    [
      "POST",
      "/api/personality/import",
      form("no card"),
      "文件不是有效的 JSON：第 1 行第 2 列 | the file is not valid JSON: line 1, column 2",
    ],
    ["POST", "/api/personality/import", form("[]"), "没有找到角色卡：合集是空的 | no card found: the bundle is empty"],
    ["POST", "/api/personality/import", form("[]", { odd: "1" }), "未知 | odd: is not known"],
    [
      "POST",
      "/api/personality/portrait",
      form("no picture"),
      "不是 PNG、JPEG、GIF 或 WebP 图片 | file: is not a PNG, JPEG, GIF or WebP picture",
    ],
    ["DELETE", "/api/personality/portrait?url=/x", undefined, "不是立绘的地址 | url: is not a portrait's address"],
    [
      "POST",
      "/api/tts/synthesize",
      { text: "😀" },
      "其中没有可朗读的内容 | text: there is nothing to read aloud in it",
    ],
    [
      "POST",
      "/api/stt/transcribe",
      form("no sound", {}, "audio"),
      "不是 wav、mp3、m4a、ogg、opus、webm 或 flac | audio: is not wav, mp3, m4a, ogg, opus, webm or flac",
    ],
    ["POST", "/api/stt/transcribe", form("x", {}, "sound"), "缺少 | audio: is missing"],
    [
      "GET",
      "/api/public/none",
      undefined,
      "此处没有公开的会话，或已不再公开 | nothing is published here, or it is no longer published",
    ],
    ["POST", "/qrcode/generate", { text: "x".repeat(2000), size: 64 }, /^对这么多文字来说过小，至少需要 \d+ \| size: /],
    [
      "POST",
      "/qrcode/generate",
      { text: "x".repeat(2000), level: "H" },
      "过长，级别 H 容纳不下 | text: is too long for level H",
    ],
  ] as const)("%s %s #%#", async (method, path, given, expected) => {
    expect(await chineseError(method, path, given)).toEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
  });
});

test("uniqueness violations have both texts, too", async () => {
  const link = { name: "a", target_id: "web:user:a", same_as: "web:user:b" };
  await api.post("/api/person-links", link);
  const again = await chineseError("POST", "/api/person-links", link);
  expect(again).toBe("“web:user:a”已被使用 | target_id: 'web:user:a' is taken");
});

interface Warned {
  readonly warnings: readonly string[];
  readonly warning_details: readonly (object | null)[];
}

/** Formats the warnings of a response as clients show them, Chinese and English. */
function formatWarnings({ warnings, warning_details }: Warned): readonly string[] {
  return warnings.map((warning, at) => `${fillDetail(warning_details[at] ?? {}, "zh")} | ${warning}`);
}

describe("warnings of accepted input have a Chinese and an English text:", () => {
  test("a world book, and the entries that it made", async () => {
    const entries = [
      { keys: ["/(/"], content: "x", extensions: {}, name: "Tide" },
      { keys: ["b"], content: "x", extensions: {}, priority: 5_000, name: "Sea", vectorized: true },
    ];
    const { book, ...made } = await api.post<Warned & { book: { id: string } }>("/api/world-books/import", { entries });
    expect(formatWarnings(made)).toEqual([
      expect.stringMatching(
        /^条目 0（Tide）：keywords\.0：不是有效的正则表达式（括号没有闭合），条目已停用 \| entry 0 \(Tide\): keywords\.0: .*Unterminated group; the entry is switched off$/,
      ),
      "条目 1（Sea）：priority 的值 5000 按 1000 计 | entry 1 (Sea): priority 5000 counts as 1000",
    ]);
    const { items } = await api.get<{ items: Warned[] }>(`/api/world-books/${book.id}/entries`);
    expect(items.flatMap(formatWarnings)).toEqual([
      "关键词“b”只有一个字符，几乎在所有文本中都会触发 | the keyword 'b' is a single character and matches almost every text",
      "vectorized 会保留，但不生效 | 'vectorized' is kept but has no effect",
    ]);
  });

  test("a character card with its lorebook", async () => {
    const character_book = { entries: [{ keys: ["a"], content: "" }], name: "Tides" };
    const data = { name: "Tide", personality: { calm: true }, character_book, extensions: { parley: { rules: [[]] } } };
    const card = form(JSON.stringify({ spec: "odd", data, __proto__x: 1 }));
    const answer = await fetch(new URL("/api/personality/import", parley.address), {
      method: "POST",
      headers: { authorization: `Bearer ${api.token}` },
      body: card,
    });
    const { data: made } = (await answer.json()) as { readonly data: Warned };
    expect(formatWarnings(made)).toEqual([
      "spec：未知的格式，已按 V2 读取 | spec: unknown format; the card was read as V2",
      "personality：不是文字，已略去 | personality: is not text and was left out",
      "条目 0 未导入：content：不能为空 | entry 0 was not imported: content: is not allowed to be empty",
    ]);
  });
});
