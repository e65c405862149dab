import { randomBytes } from "node:crypto";
import Joi from "@hapi/joi";
import { Databases, definePlugin, ERROR_TEXTS, TransferSections } from "@parley/core";
import type { ArchiveFile } from "@parley/core/archive";
import type { Kysely } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfigPackage, repackConfigPackage } from "../harness/files/config-package.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const PASSWORD = "between you and me";

interface Tables {
  readonly pair: { readonly name: string; readonly value: number };
}

const section = (id: string, part: () => Promise<unknown>) => ({
  id,
  title: { en: id, zh: id },
  schema: Joi.any(),
  export: part,
  plan: async () => ({ items: [], variables: [] }),
  apply: async () => ({ run: async () => [], undo: async () => {} }),
});

/** Two sections with related rows; the first one changes both after reading its own and before the other reads. */
let change: () => void;
const changed = new Promise<void>((resolve) => {
  change = resolve;
});
let heavy: unknown = [];
const pair = definePlugin({
  id: "zz-pair",
  register({ contribute }) {
    contribute(TransferSections, (from) => {
      const tables = () => from.get(Databases).main.tables<Tables>();
      return section("pair_a", async () => {
        const rows = await tables().selectFrom("pair").selectAll().where("name", "=", "a").execute();
        await tables().updateTable("pair").set({ value: 2 }).execute();
        change();
        return rows;
      });
    });
    contribute(TransferSections, (from) =>
      section("pair_b", async () => {
        await changed;
        const rows = from.get(Databases).main.tables<Tables>().selectFrom("pair").selectAll();
        return rows.where("name", "=", "b").execute();
      }),
    );
    contribute(TransferSections, () => section("heavy", async () => heavy));
  },
  async start({ get }) {
    const up = async (db: Kysely<unknown>) => {
      await db.schema.createTable("pair").addColumn("name", "text").addColumn("value", "integer").execute();
      const rows = ["a", "b"].map((name) => ({ name, value: 1 }));
      await (db as Kysely<Tables>).insertInto("pair").values(rows).execute();
    };
    await get(Databases).main.migrate("zz-pair", [{ id: "001", up }]);
  },
});

let parley: Parley;
let api: Client;
beforeAll(async () => {
  parley = await startParley({ plugins: [pair] });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

const sendTransfer = (path: string, init: RequestInit) =>
  fetch(new URL(`/api/config-transfer/${path}`, parley.address), {
    method: "POST",
    ...init,
    headers: { authorization: `Bearer ${api.token}`, ...init.headers },
  });
const requestExport = (sections: readonly string[]) =>
  sendTransfer("export", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD, sections }),
  });
async function exportSections(sections: readonly string[]): Promise<Uint8Array> {
  const answer = await requestExport(sections);
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
}
async function importSections(bytes: Uint8Array) {
  const body = new FormData();
  body.append("file", new Blob([new Uint8Array(bytes)]), "package.zip");
  body.append("password", PASSWORD);
  const answer = await sendTransfer("import", { body });
  const { code, error } = (await answer.json()) as { readonly code?: string; readonly error?: string };
  return { status: answer.status, code, error };
}

test("a package is a snapshot: a change between two of its sections is in none of them", async () => {
  const content = await readConfigPackage(await exportSections(["pair_a", "pair_b"]), PASSWORD);
  const config = Buffer.from(content.find(({ name }) => name === "config.json")?.bytes ?? []).toString();
  expect(JSON.parse(config).sections).toEqual({
    pair_a: [{ name: "a", value: 1 }],
    pair_b: [{ name: "b", value: 1 }],
  });
});

describe("a package is rejected in one sentence, and nothing is changed:", () => {
  const config = (text: string) => ({ name: "config.json", bytes: Buffer.from(text) });
  let whole: Uint8Array;
  let before: unknown;
  const readSettings = () => api.get("/api/settings");
  beforeAll(async () => {
    whole = await exportSections(["settings"]);
    before = await readSettings();
  });
  const getRejection = async (files: readonly ArchiveFile[]) => {
    const answer = await importSections(await repackConfigPackage(whole, PASSWORD, files));
    expect(await readSettings()).toEqual(before);
    return answer;
  };

  test.each<[string, () => readonly ArchiveFile[]]>([
    [
      "a long text",
      () => {
        // Compresses enough not to be stored uncompressed in the ZIP.
        const title = randomBytes(1_400_000)
          .toString("hex")
          .replaceAll(/./g, (digit) => digit.repeat(20));
        return [config(JSON.stringify({ sections: { settings: { web: { title } } }, secrets: {} }))];
      },
    ],
    // Each value takes two bytes in the file and more in memory, so they are rejected before being parsed.
    ["values", () => [config(`{"sections":{"settings":{"a":[${"1,".repeat(4_000_000)}1]}},"secrets":{}}`)]],
    [
      "pictures",
      () => [
        config('{"sections":{},"secrets":{}}'),
        ...Array.from({ length: 1_100 }, (_, at) => ({ name: `portraits/${at}.png`, bytes: Buffer.alloc(1) })),
      ],
    ],
  ])("a bomb of %s inside the encrypted part", async (_what, files) => {
    expect(await getRejection(files())).toEqual({
      status: 413,
      code: "too_large",
      error: ERROR_TEXTS.package_too_large,
    });
  });

  test.each<[string, readonly ArchiveFile[]]>([
    ["nothing", []],
    ["no JSON", [config("no JSON at all")]],
    ["a list", [config("[]")]],
    ["keys that reach a prototype", [config('{"sections":{"__proto__":{"a":1}},"secrets":{}}')]],
    ["something too deep", [config(`{"sections":${"[".repeat(70)}${"]".repeat(70)},"secrets":{}}`)]],
    ["no sections", [config('{"secrets":{}}')]],
  ])("a package with %s inside the encrypted part", async (_what, files) => {
    expect(await getRejection(files)).toEqual({ status: 400, code: "bad_request", error: ERROR_TEXTS.not_a_package });
  });
});

test("an export that would be too large for an import is rejected", async () => {
  heavy = ["x".repeat(53_000_000)];
  const answer = await requestExport(["heavy"]);
  expect(answer.status).toBe(413);
  expect(await answer.json()).toMatchObject({ error: expect.stringContaining("select fewer sections") });
  heavy = [];
});
