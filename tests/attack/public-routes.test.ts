import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SCOPES } from "../endpoints/routes.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const ASKED = 20;
/** Maximum characters of JSON that an anonymous request may process once the response is cached. */
const CHARS_EACH = 16_000;
const LONG = 40;

let parley: Parley;
let api: Client;
let publicId: string;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/sessions", { name: "long" });
  for (let at = 0; at < LONG; at += 1) await api.post(`/api/sessions/${id}/chat`, { content: "tea ".repeat(7_000) });
  publicId = (await api.post<{ public_id: string }>(`/api/sessions/${id}/public`, {})).public_id;
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

const OPEN = [...SCOPES].flatMap(([row, scope]) => (scope === "open" && row.startsWith("GET ") ? [row.slice(4)] : []));

test("the public routes are among those tested", () => {
  expect(OPEN).toEqual(expect.arrayContaining(["/api/public/{public_id}", "/public/{public_id}", "/api/openapi.json"]));
});

test.each(OPEN)("a public response is cheap when it is requested again: GET %s", async (path) => {
  const address = path.replace("{public_id}", publicId).replaceAll(/\{[^}]+\}/g, "none");
  const ask = () => fetch(`${parley.address}${address}`, { redirect: "manual" }).then((answer) => answer.arrayBuffer());
  await ask();
  let chars = 0;
  const [parse, stringify] = [JSON.parse, JSON.stringify];
  using _parse = vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    chars += String(text).length;
    return parse(text, reviver);
  });
  using _stringify = vi.spyOn(JSON, "stringify").mockImplementation((value, replacer, space) => {
    const text = stringify(value, replacer as never, space);
    chars += text?.length ?? 0;
    return text;
  });
  for (let asked = 0; asked < ASKED; asked += 1) await ask();
  expect(chars / ASKED).toBeLessThan(CHARS_EACH);
});
