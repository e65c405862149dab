import { readFileSync } from "node:fs";
import { type Route, RouteTables } from "@parley/core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/client.ts";
import type { Parley } from "../harness/parley.ts";
import { CALLS, type Call, LATER, OURS, type Seed } from "./calls.ts";
import { filled, requestOf, type Seeded, startSeeded } from "./seed.ts";

const PACKAGES = new Set([
  "accounts",
  "channels",
  "filter",
  "sessions",
  "models",
  "operations",
  "adapter-web",
  "adapter-imb",
  "adapter-generic",
  "adapter-ima",
  "adapter-imc",
  "gateway",
  "mcp-bridge",
  "files",
]);

interface Listed {
  readonly row: string;
  readonly package: string;
  readonly auth: string;
}

const listed: readonly Listed[] = readFileSync(new URL("endpoints.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t"))
  .map(([, method, path, owner = "", auth = ""]) => ({ row: `${method} ${path}`, package: owner, auth }));
const expected = listed.filter((entry) => PACKAGES.has(entry.package) && !(entry.row in LATER));

let seeded: Seeded;
let parley: Parley;
let api: Client;
let seed: Seed;
let mounted: ReadonlyMap<string, Route>;

beforeAll(async () => {
  seeded = await startSeeded();
  ({ parley, seed } = seeded);
  ({ api } = seed);
  mounted = new Map(
    parley.host
      .all(RouteTables)
      .flat()
      .map((row) => [`${row.method} ${row.path}`, row]),
  );
});

afterAll(() => seeded[Symbol.asyncDispose]());

test("the list and the service name the same rows", async () => {
  const { paths } = JSON.parse((await api.send("GET", "/api/openapi.json")).text) as { paths: Record<string, object> };
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const wanted = [...expected.map(({ row }) => row), ...OURS].map((row) => row.replace("*}", "}"));
  expect({ missing: wanted.filter((row) => !served.includes(row)) }).toEqual({ missing: [] });
  expect({ extra: served.filter((row) => !wanted.includes(row)) }).toEqual({ extra: [] });
});

test("the description of the service is a valid one", async () => {
  const document = JSON.parse((await api.send("GET", "/api/openapi.json")).text);
  const { valid, errors } = await new Validator().validate(document);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

test("rows without a login are exactly those that the list opens", () => {
  const open = [...mounted].filter(([, { auth }]) => auth === "open").map(([row]) => row);
  const allowed = expected.filter(({ auth }) => auth === "open").map(({ row }) => row);
  expect(open.sort()).toEqual([...allowed, "GET /assets/{name*}"].sort());
});

test("what is put off is still on the list", () => {
  const rows = new Set(listed.map(({ row }) => row));
  expect(Object.keys(LATER).filter((row) => !rows.has(row))).toEqual([]);
});

const withCall = expected.filter(({ package: owner }) => owner !== "adapter-web");

test("every row has a call that works", () => {
  expect(Object.keys(CALLS).sort()).toEqual(withCall.map(({ row }) => row).sort());
});

describe.each(withCall)("$row", ({ row, auth }) => {
  const call = CALLS[row] as Call;
  const [method = "", path = ""] = row.split(" ");

  test("works", async () => {
    const made = (await call.params?.(seed)) ?? {};
    const caller = (await call.caller?.(seed)) ?? api;
    const answer = await caller.send(method, filled(path, made), requestOf(call, made));
    expect(answer).toMatchObject({ status: 200, ...(call.isRaw ? {} : { json: { success: true } }) });
    const given = call.isRaw ? answer.json : answer.json?.data;
    expect(Object.keys(given as object)).toEqual(expect.arrayContaining([...call.gives]));
    await call.after?.(seed);
  });

  when(method === "GET" && call.query)("answers in its default form too, or says what is missing", async () => {
    const made = (await call.params?.(seed)) ?? {};
    const { query: _query, ...bare } = requestOf(call, made);
    const answer = await api.send(method, filled(path, made), bare);
    expect([200, 400], answer.text).toContain(answer.status);
    expect(answer.headers.get("content-type")).toMatch(/^(application\/json|text\/csv; charset=utf-8$)/);
  });

  when(auth === "login")("asks who calls", async () => {
    const answer = await api.send(method, filled(path, {}), { token: "", ...(call.body && { body: {} }) });
    expect(answer).toMatchObject({ status: 401, json: { success: false, code: "unauthorized" } });
  });

  when(auth === "login")("asks what the caller may do", async () => {
    const key = await api.post<{ secret: string }>("/api/api-keys", { name: `for ${row}`, scopes: ["mcp"] });
    const answer = await api.send(method, filled(path, {}), { token: key.secret, ...(call.body && { body: {} }) });
    expect(answer).toMatchObject({ status: 403, json: { code: "permission_denied" } });
  });

  when(call.body)("refuses a body that is broken, of another kind, or has a key that does not exist", async () => {
    const made = (await call.params?.(seed)) ?? {};
    const at = filled(path, made);
    const body = requestOf(call, made).body as object;
    const bodies = ["{", "[]", ...(call.except?.unknownKey ? [] : [JSON.stringify({ ...body, no_such_key: 1 })])];
    for (const text of bodies) {
      const answer = await api.send(method, at, { ...requestOf(call, made), body: text });
      expect(answer, text).toMatchObject({ status: 400, json: { code: "bad_request" } });
    }
  });

  when(path.includes("{"))("says when the id does not exist", async () => {
    const made = (await call.params?.(seed)) ?? {};
    const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? "";
    const answer = await api.send(method, filled(path, { ...made, [last]: "no_such_id" }), requestOf(call, made));
    expect(answer).toMatchObject(
      call.except?.unknownId
        ? { status: call.except.unknownStatus ?? 400 }
        : { status: 404, json: { code: "not_found" } },
    );
  });
});

/** A test only where it applies: a row without a body has no bad body. */
function when(applies: unknown): (name: string, run: () => Promise<void>) => void {
  return applies ? test : () => {};
}
