import { RouteTables, type Scope } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { expectOnlyKnown } from "../known-failures.ts";
import { OURS } from "./calls.ts";
import { readFailure } from "./failure.ts";
import { SCOPES } from "./routes.ts";

const SCOPE_NAMES: readonly Scope[] = ["read", "chat", "write", "mcp", "admin"];
const OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  "an operator": ["read", "chat", "write"],
  "a reader": ["read"],
  "an administrator": SCOPE_NAMES,
};

/** Sent by POST because the input does not fit into a URL; stores nothing. */
const ONLY_LOOKED_AT = [
  "POST /api/knowledge/preview",
  "POST /api/knowledge/search",
  "POST /api/message-filter/test",
  "POST /api/personality/preview",
  "POST /api/sessions/{session_id}/public/preview",
  "POST /api/world-books/test-match",
  "POST /api/world-books/{book_id}/compare",
];

let parley: Parley;
let person: Client;
let mounted: readonly string[];

beforeAll(async () => {
  parley = await startParley();
  person = await parley.signIn();
  const rows = parley.host.all(RouteTables).flat();
  mounted = [...new Set([...rows.map(({ method, path }) => `${method} ${path}`), ...OURS])];
});

afterAll(() => parley[Symbol.asyncDispose]());

test("every route has an entry in the table of scopes", () => {
  expect(mounted.filter((row) => !SCOPES.has(row))).toEqual([]);
});

test("every entry has a route", () => {
  expect([...SCOPES.keys()].filter((row) => !mounted.includes(row))).toEqual([]);
});

test.each(["nobody", ...SCOPE_NAMES, "a person", ...Object.keys(OF_ROLE)])(
  "%s is allowed exactly as the table defines",
  async (who) => {
    const token = await getCredential(who);
    const broke: Record<string, string> = {};
    for (const row of mounted) {
      const wanted = outcomeFor(who, SCOPES.get(row) ?? "");
      const given = await outcomeOf(row, token);
      if (given !== wanted) broke[`${row} by ${who}`] = `${given}, not ${wanted}`;
    }
    expectOnlyKnown(
      mounted.map((row) => `${row} by ${who}`),
      broke,
    );
  },
);

async function getCredential(who: string): Promise<string> {
  if (who === "nobody") return "";
  if (who === "a person") return person.token;
  if (who in OF_ROLE) return signInAs(who.split(" ").at(-1) ?? "");
  const made = { name: `only ${who}`, scopes: [who] };
  return (await person.post<{ secret: string }>("/api/api-keys", made)).secret;
}

async function signInAs(word: string): Promise<string> {
  const role = word === "administrator" ? "admin" : word;
  const { name, password } = await person.post<{ name: string; password: string }>("/api/accounts", {
    name: `the.${role}`,
    role,
  });
  return (await person.as("").post<{ token: string }>("/api/login", { username: name, password })).token;
}

function outcomeFor(who: string, scope: string): string {
  if (OF_ROLE[who]?.includes(scope)) return "passes";
  if (scope === "open" || who === "a person" || who === "admin" || who === scope) return "passes";
  return who === "nobody" ? "401 unauthorized" : "403 permission_denied";
}

test("a reader can change nothing but their own logins and password", () => {
  const sent = [...SCOPES].filter(([row, scope]) => scope === "read" && !row.startsWith("GET "));
  expect(sent.map(([row]) => row).toSorted()).toEqual([
    "DELETE /api/account/logins",
    "DELETE /api/account/logins/{token_hash}",
    "POST /api/account/password",
    ...ONLY_LOOKED_AT,
  ]);
});

/** Sends a change with a body that every route rejects: an authorized caller gets a validation error, and nothing happens. */
async function outcomeOf(row: string, token: string): Promise<string> {
  const [method = "", pattern = ""] = row.split(" ");
  const path = pattern.replaceAll(/\{\w+\*?\}/g, "none");
  const answer = await person.send(method, path, { token, ...(method !== "GET" && { body: "[" }) });
  const isRejected = answer.status === 401 || answer.status === 403;
  return isRejected ? `${answer.status} ${readFailure(answer).code}` : "passes";
}
