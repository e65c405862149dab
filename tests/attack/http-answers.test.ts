import { Readable } from "node:stream";
import { definePlugin, LogFeed, type LogRow, RouteTables, rawReply, reply, route } from "@parley/core";
import { answerFields } from "@parley/core/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;
const logged: LogRow[] = [];

const circular: Record<string, unknown> = {};
circular.self = circular;
const ANSWERS: Readonly<Record<string, () => unknown>> = {
  circular: () => circular,
  "big-int": () => ({ count: 10n }),
  "to-json": () => ({
    toJSON() {
      throw new Error("not me");
    },
  }),
  "header-value": () => reply({ data: {}, headers: { "x-name": "a\r\nset-cookie: b=c" } }),
  "header-name": () => reply({ data: {}, headers: { "x name": "a" } }),
  status: () => reply({ data: {}, status: "ok" as never }),
  "raw-header": () => rawReply({ body: "x", type: "text/plain\n" }),
  "raw-body": () => rawReply({ body: 5 as never, type: "text/plain" }),
  things: () => rawReply({ body: Readable.from(["one ", "two"]), type: "text/plain" }),
  broken: () =>
    rawReply({
      body: Readable.from(
        (async function* () {
          yield "the beginning";
          throw new Error("the source is gone");
        })(),
      ),
      type: "text/plain",
    }),
};
const plugin = definePlugin({
  id: "answers",
  register({ contribute }) {
    contribute(RouteTables, () =>
      Object.entries(ANSWERS).map(([name, run]) =>
        route({
          method: "GET",
          path: `/api/answers/${name}`,
          summary: name,
          data: { "*/*": answerFields.text },
          reply: "raw",
          run,
        }),
      ),
    );
  },
});

beforeAll(async () => {
  parley = await startParley({ plugins: [plugin] });
  api = await parley.signIn();
  parley.host.get(LogFeed).subscribe((row) => logged.push(row));
});
afterAll(() => parley[Symbol.asyncDispose]());

const unwritable = Object.keys(ANSWERS).filter((name) => !["things", "broken"].includes(name));

test.each(unwritable)(
  "a response that cannot be serialized (%s) is an error like others, and is logged with its route",
  async (name) => {
    const path = `/api/answers/${name}`;
    const { status, json, headers } = await api.send("GET", path);
    expect([status, json]).toEqual([
      500,
      { success: false, code: "internal", error: `internal error (${headers.get("x-request-id")})` },
    ]);
    expect(headers.get("set-cookie")).toBeNull();
    await eventually(() =>
      expect(logged).toContainEqual(
        expect.objectContaining({ message: "a request failed", context: expect.objectContaining({ row: path }) }),
      ),
    );
  },
);

test("a stream of texts is sent like one of bytes", async () => {
  expect(await api.send("GET", "/api/answers/things")).toMatchObject({ status: 200, text: "one two" });
});

test("an interrupted stream closes the response and is logged with its route", async () => {
  await expect(api.send("GET", "/api/answers/broken")).rejects.toThrow();
  await eventually(() =>
    expect(logged).toContainEqual(
      expect.objectContaining({
        message: "an answer broke off",
        context: expect.objectContaining({ row: "/api/answers/broken" }),
      }),
    ),
  );
});

test("the usage table is CSV unless something else is asked for", async () => {
  const { status, headers, text } = await api.send("GET", "/api/tokens/export");
  expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(text).toMatch(/^\uFEFF?time,model_id,/);
});
