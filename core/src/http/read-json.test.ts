import { describe, expect, it, test } from "vitest";
import { readJson } from "./read-json.ts";

const MIB = 1024 * 1024;
const read = (text: string, maxBytes = 2 * MIB) => readJson(Buffer.from(text), maxBytes);
/** Maximum pause: 250 ms, plus a margin for a machine that is busy with other work. */
const BUSY_MS = 1_000;
const long = "x".repeat(300_000);
const words = Array.from({ length: 40_000 }, (_, at) => `word ${at}, "quoted" \\ [{]}`);

/** Returns the longest CPU time in milliseconds during which `work` let nothing else run. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let worst = 0;
  let last = threadMs();
  const timer = setInterval(() => {
    worst = Math.max(worst, threadMs() - last);
    last = threadMs();
  }, 1);
  await work().finally(() => clearInterval(timer));
  return Math.max(worst, threadMs() - last);
}

/** Returns the CPU time of this thread in milliseconds, so that other work on the machine is not measured. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

test.each<[string, unknown]>([
  ["nothing long in it", { a: [1, { b: null }], c: "x" }],
  ["a long list", { words }],
  ["long ones between short ones", { a: 1, words, b: [1, 2], more: words, "": { c: "d" } }],
  ["long ones in long ones", { sessions: [{ name: "n", messages: words }, 5, { messages: words, end: true }], v: 1 }],
  ["long texts", { a: long, list: [long, long, 1, long] }],
  ["empty ones", { words, a: [], b: {} }],
  ["keys that need care", { words, 'a"b': words, "[": words, "é\u0001": words }],
])("a long body with %s is parsed like JSON.parse does", async (_what, value) => {
  for (const space of [0, 2]) {
    const text = JSON.stringify(value, null, space);
    expect(await read(text, 50 * MIB)).toEqual(JSON.parse(text));
  }
});

test.each(["null", "5", '"text"', "true", "[]", "1e999", " ", "\u0000", `[${JSON.stringify(words)}]`])(
  "a body that is not an object is rejected: %.9s",
  async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: "bad_request" });
  },
);

it("the last of two equal keys counts", async () => {
  const list = JSON.stringify(words);
  expect(await read(`{"a":1,"a":${list},"b":${list},"b":2}`)).toEqual({ a: words, b: 2 });
});

describe("a long body with invalid JSON is rejected, wherever the error is", () => {
  const list = JSON.stringify(words);
  test.each([
    `{"a":${list},}`,
    `{"a":${list} "b":1}`,
    `{"a":${list}1}`,
    `{"a" ${list}}`,
    `{1:${list}}`,
    `{"a":1 "b":${list}}`,
    `{"a":5${list}}`,
    `{,"a":${list}}`,
    `{"a":[${list},,1]}`,
    `{"a":[1${list}]}`,
    `{"a":[${list},]}`,
    `{"a":[,${list}]}`,
    `{"a":${list.slice(0, -1)}}}`,
    `{"a":${list.slice(0, -1)}`,
    `{"a":${list}}}`,
    `{"a":${list}} x`,
    `{"a":${list.replace("word 7", "word \u0007")}}`,
  ])("%#", async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: "bad_request" });
  });

  it("and its position is reported", async () => {
    const message = `body: is not valid JSON: line 3, column ${list.length + 8}`;
    await expect(read(`{\n\n "a":${list}, }`)).rejects.toMatchObject({ message });
  });

  it("also when it is not UTF-8", async () => {
    const bytes = Buffer.from(`{"a":${list}}`);
    bytes[bytes.length - 20] = 0xff;
    await expect(readJson(bytes, 2 * MIB)).rejects.toMatchObject({ code: "bad_request" });
  });
});

test.each(["__proto__", "constructor", "prototype", "\\u005f_proto__"])(
  "a long body with the key %s is rejected",
  async (key) => {
    const list = JSON.stringify(words);
    for (const text of [`{"${key}":${list}}`, `{"a":${list},"${key}":1}`, `{"a":[{"b":{"${key}":1}},${list}]}`])
      await expect(read(text)).rejects.toMatchObject({ code: "bad_request" });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  },
);

it("a body with more values than its size allows is rejected before it is parsed", async () => {
  const zeros = `{"a":[${"0,".repeat(16 * MIB)}0]}`;
  const begun = process.memoryUsage().rss;
  const pause = await longestPause(() =>
    expect(read(zeros, 50 * MIB)).rejects.toMatchObject({ code: "too_large", message: /holds more than/ }),
  );
  expect(pause).toBeLessThan(BUSY_MS);
  expect(process.memoryUsage().rss - begun).toBeLessThan(200 * MIB);
  await expect(read(`{"a":[${"{},".repeat(200_000)}0]}`)).rejects.toMatchObject({ code: "too_large" });
});

it("other work runs while a long body is parsed", async () => {
  const text = JSON.stringify({
    messages: Array.from({ length: 100_000 }, () => ({ role: "user", content: long.slice(0, 100) })),
  });
  expect(await longestPause(() => read(text, 50 * MIB))).toBeLessThan(BUSY_MS);
});

test.each(['{"a":"x\\u0000y"}', '{"a":{"list":[1,"\\u0000"]}}', '{"a\\u0000":1}'])(
  "a body with U+0000 is rejected: %s",
  async (text) => {
    await expect(read(text)).rejects.toMatchObject({ code: "bad_request", message: expect.stringContaining("U+0000") });
  },
);

test("a backslash before u0000 is not taken for U+0000", async () => {
  expect(await read('{"a":"\\\\u0000"}')).toEqual({ a: "\\u0000" });
});
