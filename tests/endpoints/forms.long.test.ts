import type { ObjectSchema } from "@hapi/joi";
import type { Route } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer, RequestOptions } from "../harness/http/client.ts";
import { expectOnlyKnown } from "../known-failures.ts";
import { OUR_CALLS } from "./calls/additional.ts";
import { CALLS, type Call, OURS } from "./calls.ts";
import { readFailure } from "./failure.ts";
import { createOddValues } from "./odd-values.ts";
import { OPTIONAL, type Optional } from "./parameters.ts";
import { listedRoutes } from "./routes.ts";
import { fillPath, startWorld, toRequest, type World } from "./world.ts";

/** Allowed statuses for an invalid request; never 500. */
const STATUSES = new Set([200, 202, 206, 400, 401, 403, 404, 409, 413, 416, 429, 502, 503, 504]);
/** Routes that read or replace everything, restart the service or wait for a platform; invalid values for these are only in the long run. */
const SLOW = new Set([
  "POST /api/config-transfer/import",
  "POST /api/system/reload-core",
  "POST /api/imA/sessions/{session_id}/sync",
  "POST /api/imA/sessions/{session_id}/send",
]);
/** Routes whose path or query can be used only once: a code, and a message that is replaced. */
const ONCE = new Set(["GET /api/mcp-servers/oauth/callback", "PUT /api/sessions/{session_id}/messages/{message_id}"]);
/** Fields of a record that may be sent back, or that have a row of their own. */
const BESIDES = new Set([
  ...["created_at", "updated_at", "revision", "id", "builtin", "connected", "connecting", "connection_state"],
  ...["server_info", "tool_count", "last_connected_at", "last_error", "warnings", "has_api_key", "api_key_masked"],
  ...["effective", "is_active", "character_id", "archived", "is_public", "type", "api_key"],
]);

type Place = "query" | "body";
type Ids = Readonly<Record<string, string>>;
type Sample = readonly [place: Place, name: string, value: unknown];

const calls: Readonly<Record<string, Call>> = { ...CALLS, ...OUR_CALLS };
const all = [...listedRoutes.map(({ row }) => row), ...OURS];
const isLong = process.env.PARLEY_LONG !== undefined;
const odd = createOddValues(isLong);
const count = { optional: 0, odd: 0 };
let world: World;

beforeAll(async () => {
  world = await startWorld();
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  process.stdout.write(`${all.length} rows: ${count.optional} optional parameters, ${count.odd} odd requests\n`);
});

test("the table of parameters contains existing routes only", () => {
  expect(Object.keys(OPTIONAL).filter((row) => !all.includes(row))).toEqual([]);
});

describe.each(all)("%s", (row) => {
  const call = calls[row] as Call;
  const optional = OPTIONAL[row] ?? {};

  test("accepts each of its optional parameters", async () => {
    const broke: Record<string, string> = {};
    const made = async (): Promise<Ids> => (await call.params?.(world.seed)) ?? {};
    // Reads and changes share records; all other calls get separate ones.
    const shared = /^(GET|PUT) /.test(row) && !ONCE.has(row) ? await made() : undefined;
    for (const sample of listSamples(optional)) {
      const { status, text } = await answerTo(row, shared ?? (await made()), sample);
      if (status !== 200 && status !== 202) broke[nameOf(row, sample)] = `${status} ${text.slice(0, 150)}`;
      count.optional += 1;
    }
    expectOnlyKnown(
      listSamples(optional).map((sample) => nameOf(row, sample)),
      broke,
    );
  });

  test("has the parameters of the table and no others", () => {
    const mounted = world.mounted.get(row);
    if (!mounted || isOpenEnded(mounted)) return;
    const known = [mounted.query, mounted.body].flatMap((schema) => Object.keys(schema?.describe().keys ?? {}));
    const named = [...Object.keys(optional.query ?? {}), ...Object.keys(optional.body ?? {})].flatMap(splitName);
    const asked = Object.keys(call.query?.({}) ?? {});
    const required = Object.keys(typeof call.body === "function" ? call.body({}) : Object(call.body ?? {})).concat(
      asked,
    );
    expect({ lacks: named.filter((name) => !known.includes(name)) }).toEqual({ lacks: [] });
    const adds = known.filter((name) => ![...named, ...required].includes(name) && !BESIDES.has(name));
    expect({ adds }).toEqual({ adds: [] });
  });

  test.skipIf(SLOW.has(row) && !isLong)(
    "answers invalid input with an error of its own",
    // Some odd values are accepted and take effect: a person is erased each time.
    { timeout: 240_000 },
    async () => {
      const broke: string[] = [];
      for (const [what, answer] of await tryOddRequests(row)) {
        const { status, text, json, headers } = answer;
        const isPage = call.type?.test(headers.get("content-type") ?? "") === true;
        const isLocalized = world.mounted.get(row)?.refused !== undefined && typeof json?.error === "string";
        const isEnveloped = status < 300 || readFailure(answer).code !== undefined || isPage || isLocalized;
        if (!STATUSES.has(status) || !isEnveloped) broke.push(`${what}: ${status} ${text.slice(0, 120)}`);
        count.odd += 1;
      }
      const name = `${row} and odd values`;
      expectOnlyKnown([name], broke.length > 0 ? { [name]: broke.join("\n") } : {});
      await call.after?.(world.seed);
    },
  );
});

/** True for a body that accepts unknown keys, or a form that is parsed as a stream. */
function isOpenEnded({ body, payload }: Route): boolean {
  const flags = (body?.describe().flags ?? {}) as { readonly unknown?: boolean };
  return flags.unknown === true || payload === "upload";
}

/** Splits `a&b`: parameters that must be given together. */
function splitName(name: string): readonly string[] {
  return name.split("&");
}

function listSamples({ query = {}, body = {} }: Optional): readonly Sample[] {
  const of = (place: Place, values: Readonly<Record<string, readonly unknown[]>>) =>
    Object.entries(values).flatMap(([name, some]) => some.map((value) => [place, name, value] as const));
  return [...of("query", query), ...of("body", body)];
}

function nameOf(row: string, [, name, value]: Sample): string {
  return `${row} with ${name}=${JSON.stringify(value)}`;
}

/** Makes the route's call with one more parameter. */
async function answerTo(row: string, ids: Ids, [place, name, value]: Sample): Promise<Answer> {
  const call = calls[row] as Call;
  const { seed } = world;
  const [method = "", path = ""] = row.split(" ");
  const caller = (await call.caller?.(seed)) ?? seed.api;
  const known: Readonly<Record<string, string>> = { ...ids, token: caller.token };
  const fill = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, id: string) => known[id] ?? id);
  const names = splitName(name);
  const values = names.length === 1 ? [value] : Array.isArray(value) ? value : splitName(String(value));
  const given = Object.fromEntries(
    names.map((key, at) => [key, typeof values[at] === "string" ? fill(values[at]) : values[at]]),
  );
  const request = toRequest(call, ids);
  const more =
    place === "query" ? { query: { ...request.query, ...given } } : { body: { ...Object(request.body), ...given } };
  const answer = await caller.send(method, fillPath(path, ids), { ...request, ...more });
  await call.after?.(seed);
  return answer;
}

/** Calls a route with all kinds of invalid or hostile input, one oddity per request. */
async function tryOddRequests(row: string): Promise<readonly (readonly [what: string, Answer])[]> {
  const call = calls[row] as Call;
  const [method = ""] = row.split(" ");
  const ids = (await call.params?.(world.seed)) ?? {};
  const caller = (await call.caller?.(world.seed)) ?? world.seed.api;
  const answers: [string, Answer][] = [];
  for (const [what, path, request] of toOddRequests(row, ids)) {
    answers.push([what, await caller.send(method, path, request)]);
  }
  return answers;
}

type OddRequest = readonly [what: string, path: string, request: RequestOptions];

function* toOddRequests(row: string, ids: Ids): Generator<OddRequest> {
  const [, pattern = ""] = row.split(" ");
  const request = toRequest(calls[row] as Call, ids);
  const path = fillPath(pattern, ids);
  const { query, body } = world.mounted.get(row) ?? {};
  for (const name of Object.keys(ids)) {
    for (const text of odd.names()) yield [`${name}=${text}`, fillPath(pattern, { ...ids, [name]: text }), request];
  }
  const asked = Object.keys(query?.describe().keys ?? {});
  for (const name of asked) {
    for (const text of pickTelling(odd.texts(), query, (one) => ({ [name]: one }), name)) {
      const { [name]: _, ...rest } = request.query ?? {};
      yield [`?${name}=${text}`, `${path}?${name}=${encodeURIComponent(text)}`, { ...request, query: rest }];
    }
  }
  const [first] = asked;
  if (first !== undefined) {
    yield ["?no_such_key=1", `${path}?no_such_key=1`, request];
    yield [`?${first} twice`, `${path}?${first}=1&${first}=2`, request];
  }
  if (request.body instanceof Uint8Array) yield* toOddForms(path, { ...request, body: request.body });
  if (typeof request.body !== "object" || request.body instanceof Uint8Array) return;
  for (const name of new Set([...Object.keys(body?.describe().keys ?? {}), ...Object.keys(request.body)])) {
    const withOdd = (value: unknown) => ({ ...request.body, [name]: value });
    for (const value of pickTelling(odd.values(), body, withOdd, name)) {
      yield [`${name}: ${JSON.stringify(value)}`, path, { ...request, body: withOdd(value) }];
    }
  }
}

/** Yields odd forms: with odd text fields where it has such; otherwise truncated, or not a form. */
function* toOddForms(path: string, request: RequestOptions & { readonly body: Uint8Array }): Generator<OddRequest> {
  const { body, headers } = request;
  if (headers?.["content-type"] !== "application/x-www-form-urlencoded") {
    for (const length of [0, body.length >> 1, body.length - 4]) {
      yield [`${length} bytes of a form`, path, { ...request, body: body.subarray(0, length) }];
    }
    for (const value of odd.values()) {
      yield [`a form that is ${JSON.stringify(value)}`, path, { ...request, body: Buffer.from(JSON.stringify(value)) }];
    }
    return;
  }
  const fields = new URLSearchParams(Buffer.from(body).toString());
  for (const name of fields.keys()) {
    for (const text of odd.texts()) {
      const changed = new URLSearchParams(fields);
      changed.set(name, text);
      yield [`${name}=${text}`, path, { ...request, body: Buffer.from(changed.toString()) }];
    }
  }
}

/**
 * Selects one of the values that the route's schema rejects for this field, which is enough to show that the schema
 * is applied, and all that it accepts, which the route itself must handle.
 */
function pickTelling<Value>(
  all: readonly Value[],
  schema: ObjectSchema | undefined,
  whole: (value: Value) => object,
  name: string,
): readonly Value[] {
  const rejects = (value: Value) =>
    schema?.validate(whole(value), { abortEarly: false }).error?.details.some(({ path }) => path[0] === name) ?? false;
  if (isLong) return all;
  const first = all.find(rejects);
  return all.filter((value) => value === first || !rejects(value));
}
