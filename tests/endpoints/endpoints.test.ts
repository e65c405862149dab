import { answerProblem } from "@parley/testing";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer, Client } from "../harness/http/client.ts";
import { expectOnlyKnown } from "../known-failures.ts";
import { OUR_CALLS } from "./calls/additional.ts";
import { OAUTH_CALLS } from "./calls/oauth.ts";
import { WIDGET_CALLS } from "./calls/widget.ts";
import { CALLS, type Call, OURS } from "./calls.ts";
import { readFailure } from "./failure.ts";
import { listedRoutes, SCOPES } from "./routes.ts";
import { fillPath, startWorld, toRequest, type World } from "./world.ts";

let world: World;
let api: Client;

beforeAll(async () => {
  world = await startWorld();
  api = world.seed.api;
}, 60_000);

afterAll(() => world[Symbol.asyncDispose]());

test("the list and the service have the same routes", async () => {
  const { paths } = JSON.parse((await api.send("GET", "/api/openapi.json")).text) as { paths: Record<string, object> };
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const wanted = [...listedRoutes.map(({ row }) => row), ...OURS].map((row) => row.replace("*}", "}"));
  expect({ missing: wanted.filter((row) => !served.includes(row)) }).toEqual({ missing: [] });
  expect({ extra: served.filter((row) => !wanted.includes(row)) }).toEqual({ extra: [] });
});

test("the API description is valid", async () => {
  const document = JSON.parse((await api.send("GET", "/api/openapi.json")).text);
  const { valid, errors } = await new Validator().validate(document);
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

test("routes without a login are exactly those declared public", () => {
  const open = [...world.mounted].filter(([, { auth }]) => auth === "open").map(([row]) => row);
  const allowed = listedRoutes.filter(({ auth }) => auth === "open").map(({ row }) => row);
  const login = Object.keys(OAUTH_CALLS).filter((row) => SCOPES.get(row) === "open");
  expect(login).toHaveLength(9);
  const ours = [
    "GET /assets/{name*}",
    "GET /api/languages",
    "GET /api/languages/{code}",
    "GET /public/{public_id}/files/{filename}",
    "POST /public/{public_id}",
    "GET /api/mcp-servers/oauth/callback",
    "GET /api/gateway/{channel_id}/webhook",
    ...Object.keys(WIDGET_CALLS),
  ];
  expect(open.sort()).toEqual([...allowed, ...login, ...ours].sort());
});

const all = [...listedRoutes.map(({ row }) => row), ...OURS];
const calls: Readonly<Record<string, Call>> = { ...CALLS, ...OUR_CALLS };

test("every route has a call that works", () => {
  expect(Object.keys(calls).sort()).toEqual([...all].sort());
});

describe.each(all)("%s", (row) => {
  const call = calls[row] as Call;
  const [method = "", path = ""] = row.split(" ");
  const asksForLogin = SCOPES.get(row) !== "open";

  test("works with its required parameters only", async () => {
    const made = (await call.params?.(world.seed)) ?? {};
    const caller = (await call.caller?.(world.seed)) ?? api;
    const answer = await caller.send(method, fillPath(path, made), toRequest(call, made));
    const fault = faultOf(call, answer) ?? findUndeclared(row, answer);
    expectOnlyKnown([row], fault === undefined ? {} : { [row]: fault });
    await call.after?.(world.seed);
  });

  when(asksForLogin)("asks who calls", async () => {
    const answer = await api.send(method, fillPath(path, {}), { token: "", ...(call.body && { body: {} }) });
    expect([answer.status, readFailure(answer).code]).toEqual([401, "unauthorized"]);
  });

  when(call.body)("refuses a body that is broken, of another kind, or has a key that does not exist", async () => {
    const made = (await call.params?.(world.seed)) ?? {};
    const at = fillPath(path, made);
    const body = toRequest(call, made).body as object;
    const bodies = ["{", "[]", ...(call.except?.unknownKey ? [] : [JSON.stringify({ ...body, no_such_key: 1 })])];
    for (const text of bodies) {
      const answer = await api.send(method, at, { ...toRequest(call, made), body: text });
      expect(answer.status, text).toBe(400);
      if (!call.except?.badBody) expect(readFailure(answer).code, text).toBe("bad_request");
    }
  });

  when(call.body)("says everything that is wrong with a body at once", async () => {
    const { body: schema, payload = "json" } = world.mounted.get(row) ?? {};
    if (!schema || !payload.startsWith("json")) return;
    const odd = [[["odd"]]];
    const names = Object.keys(schema.describe().keys ?? {});
    const wrong = names.filter((name) => schema.extract(name).validate(odd).error);
    if (wrong.length === 0) return;
    const made = (await call.params?.(world.seed)) ?? {};
    const body = Object.fromEntries(wrong.map((name) => [name, odd]));
    const answer = await api.send(method, fillPath(path, made), { ...toRequest(call, made), body });
    expect([answer.status, readFailure(answer).code]).toEqual([400, "bad_request"]);
    const header = answer.headers.get("x-parley-error") ?? "{}";
    const { field = "", others = [] } = JSON.parse(header) as ErrorReply;
    const fields = [field, ...others.map((one) => one.field ?? "")].map((one) => one.split(".")[0] ?? "");
    const fits = wrong.slice(0, header.length < FULL ? wrong.length : 5);
    expect(fits.filter((name) => !fields.includes(name))).toEqual([]);
    expect(readFailure(answer).error).toMatch(`${field}: `);
  });

  when(path.includes("{"))("says when the id does not exist", async () => {
    const made = (await call.params?.(world.seed)) ?? {};
    const last = [...path.matchAll(/\{(\w+)\*?\}/g)].at(-1)?.[1] ?? "";
    const answer = await api.send(method, fillPath(path, { ...made, [last]: "no_such_id" }), toRequest(call, made));
    const { status } = answer;
    const wanted = call.except?.unknownId ? (call.except.unknownStatus ?? 400) : "404 not_found";
    const given = call.except?.unknownId ? status : `${status} ${readFailure(answer).code}`;
    const name = `${row} of an unknown id`;
    expectOnlyKnown([name], given === wanted ? {} : { [name]: `${given}, not ${wanted}` });
  });
});

/** Validation details in a header, near its size limit. */
interface ErrorReply {
  readonly field?: string;
  readonly others?: readonly { readonly field?: string }[];
}
const FULL = 1_800;

/** Returns the function that declares a test, or one that skips it: a route without a body has no invalid body. */
function when(applies: unknown): (name: string, run: () => Promise<void>) => void {
  return applies ? test : () => {};
}

/** Returns how a response deviates from its declaration; undefined where it does not. */
function findUndeclared(row: string, { status, headers, text }: Answer): string | undefined {
  return answerProblem(world.mounted.get(row), { status, type: headers.get("content-type") ?? "", text });
}

/** Returns which promise of its route a response breaks; undefined for none. */
function faultOf(
  { isRaw, status: wanted = 200, type = /^application\/json; charset=utf-8$/, gives }: Call,
  answer: Answer,
) {
  const { status, headers, text, json } = answer;
  const given = headers.get("content-type") ?? "";
  if (status !== wanted || !type.test(given)) return `${status} ${given} ${text.slice(0, 200)}`;
  if (!isRaw && json?.success !== wanted < 400) return text.slice(0, 200);
  const names = isRaw ? text : JSON.stringify(Object.keys((json?.data ?? {}) as object));
  const missing = gives.filter((name) => !names.includes(name));
  return missing.length === 0 ? undefined : `without ${missing}: ${text.slice(0, 200)}`;
}
