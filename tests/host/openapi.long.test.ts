import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeConfiguration } from "@parley/cli";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";
import { runParley } from "../harness/process.ts";

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name?: string;
    readonly schema?: { readonly enum?: readonly string[] };
  }[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const root = mkdtempSync(join(tmpdir(), "parley-openapi-"));
const folder = (name: string, config = "") => {
  const path = join(root, name);
  mkdirSync(path);
  writeFileSync(join(path, "config.ini"), config);
  return path;
};
afterAll(() => rmSync(root, { recursive: true, force: true }));

let document: Document;
beforeAll(async () => {
  ({ document } = (await describeConfiguration({ root: folder("plain"), env: {} })) as { document: Document });
}, 60_000);

async function writeOpenapi(args: readonly string[], at: string) {
  const child = runParley({ root: at, args: ["openapi", ...args] });
  let [out, problemText] = ["", ""];
  child.stdout?.on("data", (text) => (out += text));
  child.stderr?.on("data", (text) => (problemText += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  return { code, out, errors: problemText };
}

describe("the description of the REST interface", { timeout: 60_000 }, () => {
  test("names what a part of a path may be where that is a closed set", () => {
    const enumOf = (path: string, name: string) =>
      document.paths[path]?.get?.parameters?.find((one) => one.name === name)?.schema?.enum;
    expect(enumOf("/api/ai-models/by-purpose/{purpose}", "purpose")).toContain("image_generation");
    expect(enumOf("/api/imA/messages/{imA_type}/{imA_id}", "imA_type")).toContain("group");
    expect(enumOf("/api/sessions/{session_id}", "session_id")).toBeUndefined();
  });

  test("can be written by a command that starts and leaves nothing", async () => {
    const at = folder("command");
    expect(await writeOpenapi([], at)).toEqual({
      code: 0,
      out: `${JSON.stringify(document, undefined, 2)}\n`,
      errors: "",
    });
    expect(readdirSync(at)).toEqual(["config.ini"]);
  });

  test("is written to a file", async () => {
    const at = folder("file");
    expect(await writeOpenapi(["--out", "api.json"], at)).toEqual({ code: 0, out: "", errors: "" });
    expect(JSON.parse(readFileSync(join(at, "api.json"), "utf8"))).toEqual(document);
    expect(readdirSync(at).sort()).toEqual(["api.json", "config.ini"]);
  });

  test("equals that of the running service", async () => {
    await using parley = await startParley();
    const served = (await (await fetch(new URL("/api/openapi.json", parley.address))).json()) as Document;
    expect(Object.keys(served.paths).sort()).toEqual(Object.keys(document.paths).sort());
    expect(served).toEqual({ ...document, paths: served.paths });
    for (const [path, operations] of Object.entries(served.paths)) expect(operations).toEqual(document.paths[path]);
  });

  test("passes a linter, except for paths that the contract fixes", async () => {
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    const messages = problems
      // `/api/channels/presets/{id}` next to `/api/channels/{id}/toggle` is intended: literal segments win over parameters.
      .filter(({ ruleId }) => ruleId !== "no-ambiguous-paths")
      .map(({ ruleId, severity, message, location: [at] }) => `${severity} ${ruleId}: ${message} ${at?.pointer}`);
    expect(messages).toEqual([]);
  });

  test("has a unique operation id for each route", () => {
    const rows = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => [`${method} ${path}`, operationId] as const),
    );
    const names = new Map(rows);
    expect(names.get("get /api/sessions/{session_id}/messages")).toBe("get_sessions_by_session_id_messages");
    expect(names.get("get /")).toBe("get_root");
    expect(new Set(names.values()).size).toBe(rows.length);
  });

  test("omits and names a third-party plugin that cannot be described", async () => {
    const at = folder("third", "[plugins]\nodd = ./odd.mjs\n");
    const rows = '() => [{ method: "GET", path: "/odd", summary: "odd", run: () => 1 }]';
    const point = '{ kind: "extension-point", id: "route-tables" }';
    const code = `export default { id: "odd", contract: 1, register({ contribute }) { contribute(${point}, ${rows}); } };`;
    writeFileSync(join(at, "odd.mjs"), code);
    const { document: others, warnings } = await describeConfiguration({ root: at, env: {} });
    expect(warnings).toEqual([
      expect.stringMatching(/^plugin 'odd': .*row 'GET \/odd' does not say what it answers: data$/),
    ]);
    expect(others).toEqual(document);
  });

  test("reports an unreadable configuration", async () => {
    const { code, out, errors } = await writeOpenapi([], folder("wrong", "[web]\nport = many\n"));
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(errors).toContain("port");
  });
});
