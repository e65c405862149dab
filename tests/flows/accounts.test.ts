import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Client, createClient } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Made {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  readonly password: string;
}
interface Login {
  readonly hash_full: string;
  readonly device: string | null;
  readonly current: boolean;
}

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
const MINE = "/api/account/logins";

let parley: Parley;
let admin: Client;
let count = 0;

beforeAll(async () => {
  parley = await startParley();
  admin = await parley.signIn();
});

afterAll(() => parley[Symbol.asyncDispose]());

const createAccount = (role: string) => admin.post<Made>("/api/accounts", { name: `person-${++count}`, role });
const open = () => createClient(parley.address, "");
async function signIn(username: string, password: string, userAgent = "a test"): Promise<Client> {
  const options = { body: { username, password }, headers: { "user-agent": userAgent } };
  const { json, text } = await open().send("POST", "/api/login", options);
  if (!json?.success) throw new Error(text);
  return open().as((json.data as { readonly token: string }).token);
}
const signInAs = ({ name, password }: Made) => signIn(name, password);
const getStatus = async (client: Client, method: string, path: string, body?: object) =>
  (await client.send(method, path, body ? { body } : {})).status;
/** Returns the error for an invalid credential. */
const getRejectionReason = async (client: Client) => {
  const { status, headers } = await client.send("GET", "/api/sessions");
  return [status, JSON.parse(headers.get("x-parley-error") ?? "{}").key];
};
const logins = async (client: Client) => (await client.get<{ readonly items: readonly Login[] }>(MINE)).items;

describe("accounts", () => {
  test("get a password that is shown once, and sign in with it under their own name", async () => {
    const made = await createAccount("operator");
    expect(made.password).toMatch(/^\w{20}$/);
    expect(await admin.get(`/api/accounts/${made.id}`)).not.toHaveProperty("password");
    const theirs = await signInAs(made);
    expect(await theirs.post("/api/verify-token", {})).toMatchObject({
      username: made.name,
      scopes: ["read", "chat", "write"],
    });
  });

  test("have a case-insensitive name", async () => {
    const { name } = await createAccount("reader");
    expect(await getStatus(admin, "POST", "/api/accounts", { name: name.toUpperCase(), role: "reader" })).toBe(409);
    expect(await getStatus(admin, "POST", "/api/accounts", { name: "two words", role: "reader" })).toBe(400);
  });

  test("that are demoted are signed out, and automation with their keys stops", async () => {
    const made = await createAccount("admin");
    const theirs = await signInAs(made);
    const { secret } = await theirs.post<{ secret: string }>("/api/api-keys", {
      name: `of ${made.name}`,
      scopes: ["read", "admin"],
    });
    const key = open().as(secret);
    expect(await getStatus(key, "GET", "/api/accounts")).toBe(200);
    await admin.put(`/api/accounts/${made.id}`, { role: "reader" });
    expect(await getRejectionReason(theirs)).toEqual([401, "accounts.login_role"]);
    expect(await getStatus(key, "GET", "/api/accounts")).toBe(403);
    expect(await getStatus(key, "GET", "/api/sessions")).toBe(200);
    expect(await getStatus(await signInAs(made), "POST", "/api/sessions", {})).toBe(403);
  });

  test("that are deleted cannot sign in, and their keys are disabled until an administrator trusts them", async () => {
    const made = await createAccount("admin");
    const theirs = await signInAs(made);
    const key = { name: `of ${made.name}`, scopes: ["read"] };
    const { id, secret } = await theirs.post<{ id: string; secret: string }>("/api/api-keys", key);
    expect(await getStatus(admin, "DELETE", `/api/accounts/${made.id}`)).toBe(200);
    expect(await getRejectionReason(theirs)).toEqual([401, "accounts.login_account"]);
    await expect(signInAs(made)).rejects.toThrow("user name or password is wrong");
    expect(await getRejectionReason(open().as(secret))).toEqual([401, "accounts.key_off"]);
    expect(await admin.get(`/api/api-keys/${id}`)).toMatchObject({ created_by: "admin", enabled: false });
  });

  test("that reuse a deleted name have no access to the data of the first", async () => {
    const made = await createAccount("admin");
    const theirs = await signInAs(made);
    await admin.send("DELETE", `/api/accounts/${made.id}`);
    await admin.post("/api/accounts", { name: made.name, role: "admin" });
    expect(await getStatus(theirs, "GET", "/api/sessions")).toBe(401);
  });

  test("always include an administrator: the service's own stays one, and nobody deletes their own", async () => {
    const { items } = await admin.get<{ items: readonly Made[] }>("/api/accounts?q=admin");
    const own = `/api/accounts/${items.find(({ name }) => name === "admin")?.id}`;
    const other = await createAccount("admin");
    const theirs = await signInAs(other);
    expect(await getStatus(theirs, "DELETE", own)).toBe(409);
    expect(await getStatus(theirs, "PUT", own, { role: "reader" })).toBe(409);
    expect(await getStatus(theirs, "DELETE", `/api/accounts/${other.id}`)).toBe(409);
  });

  test("are created by people, not by API keys or derived credentials", async () => {
    const ends = new Date(Date.now() + 60_000).toISOString();
    const body = { name: "makes more", scopes: ["admin"], expires_at: ends };
    const key = open().as((await admin.post<{ secret: string }>("/api/api-keys", body)).secret);
    const token = open().as((await key.post<{ token: string }>("/api/login-tokens", {})).token);
    for (const program of [key, token]) {
      expect(await getStatus(program, "POST", "/api/accounts", { name: "mole", role: "admin" })).toBe(403);
      const change = { old_password: parley.credentials.password, new_password: "another horse" };
      expect(await getStatus(program, "POST", "/api/account/password", change)).toBe(403);
    }
  });

  test("get a new password from an administrator, and the old one and its logins end", async () => {
    const made = await createAccount("operator");
    const theirs = await signInAs(made);
    const { password } = await admin.post<{ password: string }>(`/api/accounts/${made.id}/new-password`, {});
    expect(await getRejectionReason(theirs)).toEqual([401, "accounts.login_password"]);
    await expect(signInAs(made)).rejects.toThrow("user name or password is wrong");
    expect(await getStatus(await signIn(made.name, password), "GET", "/api/sessions")).toBe(200);
  });
});

describe("a rejected credential", () => {
  test("gets a reason only if the whole of a former login is shown", async () => {
    const made = await createAccount("reader");
    const body = { username: made.name, password: made.password };
    const { token: login } = await open().post<{ token: string }>("/api/login", body);
    await open().as(login).send("POST", "/api/logout");
    expect(await getRejectionReason(open().as(login))).toEqual([401, "accounts.login_ended"]);
    expect(await getRejectionReason(open().as(login.slice(0, -1)))).toEqual([401, "sign_in_first"]);
    expect(await getRejectionReason(open().as(`tok_${"x".repeat(43)}`))).toEqual([401, "accounts.login_unknown"]);
    expect(await getRejectionReason(open())).toEqual([401, "sign_in_first"]);
  });
});

describe("one's own account", () => {
  test("lists logins by browser, and marks the current one", async () => {
    const made = await createAccount("reader");
    const first = await signIn(made.name, made.password, FIREFOX);
    await signIn(made.name, made.password, "curl/8.14.1");
    const shown = (await logins(first)).map(({ device, current }) => [device, current]);
    expect(shown.toSorted()).toEqual([
      ["Firefox · Linux", true],
      ["curl", false],
    ]);
  });

  test("ends one login, or all others, and never those of other accounts", async () => {
    const made = await createAccount("reader");
    const [first, second, third] = await Promise.all([signInAs(made), signInAs(made), signInAs(made)]);
    const stranger = await signInAs(await createAccount("reader"));
    const [theirs] = await logins(stranger);
    expect(await getStatus(first, "DELETE", `${MINE}/${theirs?.hash_full}`)).toBe(404);
    const [currentOfSecond] = (await logins(second)).filter(({ current }) => current);
    expect(await getStatus(first, "DELETE", `${MINE}/${currentOfSecond?.hash_full}`)).toBe(200);
    expect(await getStatus(second, "GET", "/api/sessions")).toBe(401);
    expect((await first.send("DELETE", MINE)).json?.data).toEqual({ ended: 1 });
    const after = await Promise.all([third, first, stranger].map((one) => getStatus(one, "GET", "/api/sessions")));
    expect(after).toEqual([401, 200, 200]);
  });

  test("cannot be managed with an API key", async () => {
    const { secret } = await admin.post<{ secret: string }>("/api/api-keys", { name: "looks", scopes: ["read"] });
    const key = open().as(secret);
    expect(await logins(key)).toEqual([]);
    expect((await key.send("DELETE", MINE)).json?.data).toEqual({ ended: 0 });
    expect(await getStatus(admin, "GET", "/api/sessions")).toBe(200);
  });

  test("changes its password with the old one, and ends other logins on request", async () => {
    const made = await createAccount("reader");
    const [here, otherDevice] = await Promise.all([signInAs(made), signInAs(made)]);
    const change = (old_password: string, new_password: string, end_others: boolean) =>
      here.send("POST", "/api/account/password", { body: { old_password, new_password, end_others } });
    expect((await change("guessed", "battery staple", true)).json).toMatchObject({ code: "bad_request" });
    expect((await change(made.password, "short", true)).json).toMatchObject({ code: "bad_request" });
    expect((await change(made.password, "battery staple", false)).json?.data).toEqual({ ended: 0 });
    expect(await getStatus(otherDevice, "GET", "/api/sessions")).toBe(200);
    expect((await change("battery staple", "correct battery", true)).json?.data).toEqual({ ended: 1 });
    expect(await getStatus(otherDevice, "GET", "/api/sessions")).toBe(401);
    await expect(signInAs(made)).rejects.toThrow("user name or password is wrong");
    expect(await getStatus(await signIn(made.name, "correct battery"), "GET", "/api/sessions")).toBe(200);
  });

  test("is protected against guessing the password through the change of it", async () => {
    const made = await createAccount("reader");
    const here = await signInAs(made);
    const change = { old_password: "guessed", new_password: "battery staple" };
    const answers: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      answers.push(await getStatus(here, "POST", "/api/account/password", change));
    expect(answers).toEqual([400, 400, 400, 400, 400, 429]);
  });

  test("closes the sockets of an ended login", async () => {
    const made = await createAccount("operator");
    const theirs = await signInAs(made);
    const address = `${parley.address.replace("http", "ws")}/api/ws`;
    const socket = new WebSocket(address, ["parley.v1", `bearer.${theirs.token}`]);
    await once(socket, "open");
    const closed = once(socket, "close");
    await admin.put(`/api/accounts/${made.id}`, { role: "reader" });
    expect((await closed)[0]).toBe(4401);
  });
});

describe("the password in the environment", () => {
  test("does not overwrite a password changed in the console, until it changes itself", async () => {
    const root = mkdtempSync(join(tmpdir(), "parley-password-"));
    const { credentials } = await startChanged(root);
    const login = async (env: Readonly<Record<string, string>>, password: string) => {
      await using again = await startParley({ root, env });
      const body = { username: "admin", password };
      return (await createClient(again.address, "").send("POST", "/api/login", { body })).status;
    };
    expect(await login({}, credentials.password)).toBe(401);
    expect(await login({}, "battery staple")).toBe(200);
    expect(await login({ SVC_ADMIN_PASSWORD: "rescued horse" }, "rescued horse")).toBe(200);
    rmSync(root, { recursive: true });
  });
});

async function startChanged(root: string): Promise<Parley> {
  await using service = await startParley({ root });
  const person = await service.signIn();
  const { password } = service.credentials;
  await person.post("/api/account/password", { old_password: password, new_password: "battery staple" });
  return service;
}
