import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Prompt {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly is_own: boolean;
}
interface Person {
  readonly id: string;
  readonly name: string;
  readonly api: Client;
}

let parley: Parley;
let admin: Client;
let ann: Person;
let ben: Person;

beforeAll(async () => {
  parley = await startParley();
  admin = await parley.signIn();
  [ann, ben] = await Promise.all([createPerson("ann", "operator"), createPerson("ben", "operator")]);
});
afterAll(() => parley[Symbol.asyncDispose]());

async function createPerson(name: string, role: string): Promise<Person> {
  const { id, password } = await admin.post<{ id: string; password: string }>("/api/accounts", { name, role });
  const open = createClient(parley.address, "");
  const { token } = await open.post<{ token: string }>("/api/login", { username: name, password });
  return { id, name, api: open.as(token) };
}
const keep = ({ api }: Pick<Person, "api">, name: string, more: object = {}) =>
  api.post<Prompt>("/api/prompts", { name, content: `Say {{what}} of ${name}.`, ...more });
const listNames = async (api: Client) =>
  (await api.get<{ items: Prompt[] }>("/api/prompts")).items.map(({ name }) => name);
const getStatus = async (api: Client, method: string, { id }: Prompt, body?: object) =>
  (await api.send(method, `/api/prompts/${id}`, body ? { body } : {})).status;

test("a prompt is private to its owner until it is shared; its owner and administrators change a shared one", async () => {
  const mine = await keep(ann, "mine");
  const ours = await keep(ann, "ours", { is_shared: true });
  expect(mine).toMatchObject({ owner: "ann", is_own: true });
  expect(await listNames(ann.api)).toEqual(["mine", "ours"]);
  for (const other of [ben.api, admin]) {
    expect(await listNames(other)).toEqual(["ours"]);
    for (const method of ["GET", "DELETE"]) expect(await getStatus(other, method, mine)).toBe(404);
    expect(await getStatus(other, "PUT", mine, { name: "theirs" })).toBe(404);
  }
  expect(await ben.api.get(`/api/prompts/${ours.id}`)).toMatchObject({ owner: "ann", is_own: false });
  expect(await getStatus(ben.api, "PUT", ours, { name: "theirs" })).toBe(403);
  expect(await getStatus(ben.api, "DELETE", ours)).toBe(403);
  expect(await getStatus(admin, "PUT", ours, { tags: ["house"] })).toBe(200);
  expect(await listNames(ben.api)).toEqual(["ours"]);
  expect(await ann.api.get(`/api/prompts/${ours.id}`)).toMatchObject({ name: "ours", tags: ["house"], owner: "ann" });
  expect(await getStatus(ann.api, "PUT", ours, { is_shared: false })).toBe(200);
  expect(await listNames(ben.api)).toEqual([]);
});

test("a change of an outdated revision is rejected, and a reader uses prompts without creating any", async () => {
  const one = await keep(ben, "revised", { is_shared: true });
  const path = `/api/prompts/${one.id}`;
  await ben.api.put(path, { name: "second" });
  const late = await ben.api.send("PUT", path, { body: { name: "third" }, headers: { "if-match": '"1"' } });
  expect(late).toMatchObject({ status: 409, json: { code: "conflict" } });
  const { api: reader } = await createPerson("rea", "reader");
  expect(await reader.get(path)).toMatchObject({ name: "second" });
  expect((await reader.send("POST", "/api/prompts", { body: { name: "no", content: "no" } })).status).toBe(403);
  expect(await getStatus(ben.api, "DELETE", one)).toBe(200);
});

test("an account's private prompts are deleted with it, its shared ones remain", async () => {
  const cleo = await createPerson("cleo", "operator");
  const [own, shared] = [await keep(cleo, "secret"), await keep(cleo, "gift", { is_shared: true })];
  expect((await admin.send("DELETE", `/api/accounts/${cleo.id}`)).status).toBe(200);
  expect(await listNames(ben.api)).toContain("gift");
  expect(await getStatus(admin, "GET", own)).toBe(404);
  expect(await getStatus(admin, "GET", shared)).toBe(200);
});
