import { deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { type Attack, attackGroup } from "./attack-group.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);

afterAll(() => parley[Symbol.asyncDispose]());

const repeatText = (text: string, times: number) => Array.from({ length: times }, () => text).join(",");
const nestText = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
const formatMetadata = (text: string) => `{"metadata":{"a":${text}}}`;

type Statuses = readonly number[];
const REFUSED: Statuses = [400];
const TOO_BIG: Statuses = [400, 413];

const BODIES: readonly (readonly [what: string, body: string | Uint8Array, statuses: Statuses])[] = [
  ["nothing but white space", " \n\t ", REFUSED],
  ["half an object", '{"name":', REFUSED],
  ["an object and more", "{} {}", REFUSED],
  ["a list", "[]", REFUSED],
  ["a text", '"name"', REFUSED],
  ["a number", "1", REFUSED],
  ["null", "null", REFUSED],
  ["a word", "undefined", REFUSED],
  ["NaN", '{"name":NaN}', REFUSED],
  ["a comment", '{"name":"x"/*,"pinned":true*/}', REFUSED],
  ["a comma too many", '{"name":"x",}', REFUSED],
  ["single quotes", "{'name':'x'}", REFUSED],
  ["a key without quotes", '{name:"x"}', REFUSED],
  ["a raw line break in a text", '{"name":"a\nb"}', REFUSED],
  ["a byte order mark", '\ufeff{"name":"x"}', [200, 400]],
  ["UTF-16", Buffer.from('\ufeff{"name":"x"}', "utf16le"), REFUSED],
  ["bytes that are no UTF-8", Buffer.from([...Buffer.from('{"name":"'), 0xff, 0xfe, ...Buffer.from('"}')]), REFUSED],
  ["overlong UTF-8", Buffer.from([...Buffer.from('{"name":"'), 0xc0, 0xaf, ...Buffer.from('"}')]), REFUSED],
  [
    "half a surrogate as bytes",
    Buffer.from([...Buffer.from('{"name":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
    REFUSED,
  ],
  ["NUL in a name", '{"name":"a\\u0000b"}', REFUSED],
  ["__proto__", '{"__proto__":{"polluted":1}}', REFUSED],
  ["__proto__ inside", formatMetadata('{"__proto__":{"polluted":1}}'), REFUSED],
  ["__proto__ escaped", formatMetadata('{"\\u005f_proto__":{"polluted":1}}'), REFUSED],
  ["__proto__ in a list", formatMetadata('[{"__proto__":{"polluted":1}}]'), REFUSED],
  ["constructor.prototype", formatMetadata('{"constructor":{"prototype":{"polluted":1}}}'), REFUSED],
  ["prototype", formatMetadata('{"prototype":1}'), REFUSED],
  ["a number beyond all numbers", formatMetadata("1e400"), REFUSED],
  ["minus a number beyond all numbers", formatMetadata("-1e400"), REFUSED],
  ["a number of 100,000 digits", formatMetadata("1".repeat(100_000)), REFUSED],
  ["33 levels of objects", formatMetadata(nestText('{"a":', "}", 33)), REFUSED],
  ["33 levels of lists", formatMetadata(nestText("[", "]", 33)), REFUSED],
  ["100,000 levels of objects", formatMetadata(nestText('{"a":', "}", 100_000)), REFUSED],
  ["500,000 levels of lists", formatMetadata(nestText("[", "]", 500_000)), REFUSED],
  ["levels that never close", "[".repeat(500_000), REFUSED],
  ["a million empty lists", formatMetadata(`[${repeatText("[]", 300_000)}]`), TOO_BIG],
  ["half a million numbers", formatMetadata(`[${repeatText("0", 500_000)}]`), TOO_BIG],
  ["200,000 keys", `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`)}}`, TOO_BIG],
  ["one text of 1.9 MiB", `{"name":"${"x".repeat(1_900_000)}"}`, TOO_BIG],
  ["a name of 1.8 MB", `{"${"k".repeat(1_800_000)}":1}`, TOO_BIG],
  ["a name of 1.8 MB with escapes", `{"${"\\u006b".repeat(300_000)}":1}`, TOO_BIG],
  ["a name of 1.8 MB inside", formatMetadata(`{"${"k".repeat(1_800_000)}":1}`), TOO_BIG],
  ["more than may come", `{"name":"${"x".repeat(3_000_000)}"}`, [413]],
  ["a text for a switch", '{"pinned":"true"}', REFUSED],
  ["a number for a text", '{"name":5}', REFUSED],
  ["a list for a text", '{"name":["x"]}', REFUSED],
  ["an object for a list", '{"tags":{"0":"x","length":1}}', REFUSED],
  ["a key that does not exist", '{"isAdmin":true}', REFUSED],
];

const PACKED: readonly (readonly [what: string, encoding: string, body: Uint8Array, statuses: Statuses])[] = [
  ["a bomb of gzip", "gzip", gzipSync(Buffer.alloc(100_000_000, 32)), TOO_BIG],
  ["a bomb of deflate", "deflate", deflateSync(Buffer.alloc(100_000_000, 32)), TOO_BIG],
  ["a bomb in a bomb", "gzip", gzipSync(gzipSync(Buffer.alloc(100_000_000, 32))), TOO_BIG],
  ["what is not packed as it says", "gzip", Buffer.from('{"name":"x"}'), TOO_BIG],
  ["half of what was packed", "gzip", gzipSync(Buffer.from('{"name":"x"}')).subarray(0, 20), TOO_BIG],
];

attackGroup("hostile JSON", () => [
  ...BODIES.map(([what, body, statuses]): Attack => [what, () => isRejected(body, {}, statuses)]),
  ...PACKED.map(
    ([what, encoding, body, statuses]): Attack => [
      what,
      () => isRejected(body, { "content-encoding": encoding }, statuses),
    ],
  ),
  [
    "a key that is written twice",
    async () => {
      const answer = await api.send("POST", "/api/sessions", { body: '{"name":"first","name":"last"}' });
      expect(answer.json?.data).toMatchObject({ name: "last" });
    },
  ],
]);

async function isRejected(body: string | Uint8Array, headers: Readonly<Record<string, string>>, statuses: Statuses) {
  const before = performance.now();
  const answer = await fetch(new URL("/api/sessions", api.address), {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
  expect(statuses).toContain(answer.status);
  if (answer.status >= 400) expect(await answer.json()).toMatchObject({ success: false, code: expect.any(String) });
  expect(performance.now() - before).toBeLessThan(5_000);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

/** One route for each kind of JSON body: few fields, any fields, lists, none. */
test.each(["/api/sessions", "/api/workflows", "/api/ai-models", "/api/message-filter/import"])(
  "a body with 190,000 names is rejected before it is parsed: %s",
  async (path) => {
    const names = Array.from({ length: 190_000 }, (_, at) => `"n${at}":1`);
    for (const body of [`{${names.join()}}`, `{"config":{${names.join()}}}`]) {
      const parse = vi.spyOn(JSON, "parse");
      const { status, json } = await api.send("POST", path, { body });
      const longest = Math.max(0, ...parse.mock.calls.map(([text]) => String(text).length));
      parse.mockRestore();
      expect([path, status, json?.code]).toEqual([path, 413, "too_large"]);
      expect(longest).toBeLessThan(10_000);
    }
  },
);

test.each(["PUT /api/settings", "POST /api/sessions", "PUT /api/characters/none", "POST /api/system/reload-core"])(
  "an overlong name is rejected before it is parsed, and not repeated: %s",
  async (row) => {
    const [method = "", path = ""] = row.split(" ");
    for (const length of [1_025, 100_000]) {
      const { status, text } = await api.send(method, path, { body: `{"a":{"${"k".repeat(length)}":{"a":1}}}` });
      expect([status, text.length < 500]).toEqual([413, true]);
    }
    const { json } = await api.send("POST", "/api/sessions", { body: `{"${"k".repeat(1_024)}":1}` });
    expect(json?.code).toBe("bad_request");
  },
);

test("many wrong settings with long names are rejected at once", async () => {
  const names = Array.from({ length: 1_700 }, (_, at) => `"${"k".repeat(1_010)}${at}":1`);
  const before = performance.now();
  const { status, text } = await api.send("PUT", "/api/settings", { body: `{${names}}` });
  expect([status, text.length < 2_000]).toEqual([400, true]);
  // Without the limit this took more than a minute.
  expect(performance.now() - before).toBeLessThan(10_000);
});
