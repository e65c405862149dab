import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

test.each([
  ["chat", 200],
  ["read", 403],
])("a key that may only %s gets %i when it uploads a file for a message", async (scope, status) => {
  const { secret } = await api.post<{ readonly secret: string }>("/api/api-keys", { name: scope, scopes: [scope] });
  const body = new FormData();
  body.set("file", new Blob(["a note"], { type: "text/plain" }), "note.txt");
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await fetch(`${parley.address}/api/upload`, { method: "POST", headers, body });
  expect(answer.status).toBe(status);
});
