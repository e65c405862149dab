import { RouteTables, type Scope } from "@parley/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Client } from "../harness/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";
import { settle } from "../known-holes.ts";
import { OURS } from "./calls.ts";
import { SCOPES } from "./rows.ts";

const SCOPE_NAMES: readonly Scope[] = ["read", "chat", "write", "mcp", "admin"];

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

test("every row has an entry in the table of scopes", () => {
  expect(mounted.filter((row) => !SCOPES.has(row))).toEqual([]);
});

test("every entry is of a row that is there", () => {
  expect([...SCOPES.keys()].filter((row) => !mounted.includes(row))).toEqual([]);
});

test.each(["nobody", ...SCOPE_NAMES, "a person"])("%s passes exactly where the table says", async (who) => {
  const token = await credentialOf(who);
  const broke: Record<string, string> = {};
  for (const row of mounted) {
    const wanted = outcomeFor(who, SCOPES.get(row) ?? "");
    const given = await outcomeOf(row, token);
    if (given !== wanted) broke[`${row} by ${who}`] = `${given}, not ${wanted}`;
  }
  settle(
    mounted.map((row) => `${row} by ${who}`),
    broke,
  );
});

async function credentialOf(who: string): Promise<string> {
  if (who === "nobody") return "";
  if (who === "a person") return person.token;
  const made = { name: `only ${who}`, scopes: [who] };
  return (await person.post<{ secret: string }>("/api/api-keys", made)).secret;
}

function outcomeFor(who: string, scope: string): string {
  if (scope === "open" || who === "a person" || who === "admin" || who === scope) return "passes";
  return who === "nobody" ? "401 unauthorized" : "403 permission_denied";
}

/** A change is sent with a body that no row takes: who may call is told so, and nothing happens. */
async function outcomeOf(row: string, token: string): Promise<string> {
  const [method = "", pattern = ""] = row.split(" ");
  const path = pattern.replaceAll(/\{\w+\*?\}/g, "none");
  const answer = await person.send(method, path, { token, ...(method !== "GET" && { body: "[" }) });
  const isRefused = answer.status === 401 || answer.status === 403;
  return isRefused ? `${answer.status} ${answer.json?.code}` : "passes";
}
