import { createParley, type DataOf, ParleyError } from "@parley/client";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import { type Parley as Service, startParley } from "../harness/parley.ts";

let service: Service;
let key: string;
const getClient = (more: Partial<Parameters<typeof createParley>[0]> = {}) =>
  createParley({ baseUrl: service.address, key, ...more });

beforeAll(async () => {
  service = await startParley();
  const api = await service.signIn();
  const made = { name: "a program", scopes: ["read", "write", "chat"] };
  ({ secret: key } = await api.post<{ secret: string }>("/api/api-keys", made));
});
afterAll(() => service[Symbol.asyncDispose]());

const getFailure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable("it did not fail"),
    (error: ParleyError) => error,
  );

describe("a client with an API key", () => {
  test("gets the data of an answer in typed form", async () => {
    const parley = getClient();
    const session = await parley.post("/api/sessions", { body: { name: "by a program" } });
    expectTypeOf(session.message_count).toEqualTypeOf<number>();
    expect(session).toMatchObject({ name: "by a program", revision: 1 });
    const reply = await parley.post("/api/sessions/{session_id}/chat", {
      path: { session_id: session.id },
      body: { content: "hello" },
    });
    expect("replies" in reply && reply.replies.length).toBe(1);
    const page = await parley.get("/api/sessions/{session_id}/messages", {
      path: { session_id: session.id },
      query: { limit: 1, order: "desc" },
    });
    expect(page).toMatchObject({ limit: 1, total: 2, items: [{ role: "assistant" }] });
  });

  test("gets notices about an answer, and whether it is only queued", async () => {
    const parley = getClient();
    const { id } = await parley.post("/api/sessions", { body: {} });
    const answer = await parley.answer("post", "/api/sessions/{session_id}/chat", {
      path: { session_id: id },
      body: { content: "hello", wait: false },
    });
    expect(answer).toMatchObject({ status: 202, message: "", data: { trace_id: expect.stringMatching(/^gw_/) } });
  });

  test("sends ids with any characters", async () => {
    const error = await getFailure(getClient().get("/api/sessions/{session_id}", { path: { session_id: "a/b c:ü" } }));
    expect(error).toMatchObject({ code: "not_found", params: { kind: "session", id: "a/b c:ü" } });
  });

  test("updates on a revision, and repeats idempotently", async () => {
    const parley = getClient();
    const made = () => parley.post("/api/sessions", { body: { name: "once" }, idempotencyKey: "the-same" });
    const { id } = await made();
    expect((await made()).id).toBe(id);
    const path = { session_id: id };
    const changed = await parley.put("/api/sessions/{session_id}", { path, body: { name: "new" }, ifMatch: 1 });
    expect(changed.revision).toBe(2);
    const stale = parley.put("/api/sessions/{session_id}", { path, body: { name: "newer" }, ifMatch: 1 });
    const params = { revision: 2, seen: 1 };
    expect(await getFailure(stale)).toMatchObject({ code: "conflict", key: "changed_meanwhile", params });
    expect(await parley.delete("/api/sessions/{session_id}", { path })).toEqual({ id, deleted: true });
  });
});

describe("an error of the client", () => {
  test("contains everything the service reports", async () => {
    const errors: unknown[] = [];
    const parley = getClient({ onFailure: (error, path) => errors.push([error.code, path]) });
    const error = await getFailure(parley.post("/api/sessions", { body: { name: "x".repeat(500) } }));
    expect(error).toBeInstanceOf(ParleyError);
    expect(error).toMatchObject({ code: "bad_request", status: 400, field: "name" });
    expect(error.message).toMatch(/^name: /);
    expect(error.requestId).toMatch(/^req_/);
    expect(errors).toEqual([["bad_request", "/api/sessions"]]);
  });

  test("is one of authentication, of permissions, or of the connection", async () => {
    expect(await getFailure(getClient({ key: "wrong" }).get("/api/sessions"))).toMatchObject({
      code: "unauthorized",
      status: 401,
      key: "sign_in_first",
    });
    expect(await getFailure(getClient().get("/api/api-keys"))).toMatchObject({
      code: "permission_denied",
      params: { scope: "admin" },
    });
    expect(await getFailure(getClient({ baseUrl: "http://127.0.0.1:1" }).get("/api/sessions"))).toMatchObject({
      code: "network",
      status: 0,
    });
  });

  test("of another server has no details", async () => {
    const odd = getClient({ fetch: async () => new Response("<h1>Bad gateway</h1>", { status: 502 }) });
    expect(await getFailure(odd.get("/api/sessions"))).toMatchObject({ code: "unexplained", status: 502 });
    const fine = getClient({ fetch: async () => new Response("<h1>Hello</h1>") });
    expect(await getFailure(fine.get("/api/sessions"))).toMatchObject({ code: "unexplained", status: 200 });
  });

  test("is none after an abort by the caller", async () => {
    const aborted = AbortSignal.abort(new Error("enough"));
    expect((await getFailure(getClient().get("/api/sessions", { signal: aborted }))).message).toBe("enough");
  });
});

test("parameters and answers of a route are typed at compile time", () => {
  const parley = getClient();
  expectTypeOf<DataOf<"delete", "/api/sessions/{session_id}">>().toEqualTypeOf<{
    readonly id: string;
    readonly deleted: true;
  }>();
  // Never called: each line must fail to compile, which the comment above it expects.
  const wrong = () => {
    // @ts-expect-error: there is no such row
    void parley.get("/api/nothing");
    // @ts-expect-error: the id is missing
    void parley.get("/api/sessions/{session_id}");
    // @ts-expect-error: a name is a text
    void parley.post("/api/sessions", { body: { name: 5 } });
    // @ts-expect-error: this row takes no body
    void parley.get("/api/sessions", { body: {} });
  };
  expect(wrong).toBeTypeOf("function");
});
