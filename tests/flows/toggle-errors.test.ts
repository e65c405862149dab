import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { checkConfiguration } from "@parley/cli";
import { RouteTables, Tools, ToolTables } from "@parley/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const repository = dirname(dirname(import.meta.dirname));
let parley: Parley;
let api: Client;
beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

describe("a toggle", () => {
  const listToggles = () =>
    parley.host
      .all(RouteTables)
      .flat()
      .filter(({ path }) => path.endsWith("}/toggle"));

  test("of any record needs no body, and answers 404 for an unknown record", async () => {
    expect(listToggles().length).toBeGreaterThan(5);
    for (const { path } of listToggles()) {
      const { status } = await api.send("POST", path.replace(/\{\w+\}/, "nobody_1"));
      expect([path, status]).toEqual([path, 404]);
    }
  });

  test("without a body inverts a custom tool, a built-in one and a skill", async () => {
    const { id: tool } = await api.post<{ id: string }>("/api/tools", {
      name: "weather",
      description: "The weather",
      implementation: { type: "http", url: "https://weather.example/now", method: "GET" },
    });
    const { id: skill } = await api.post<{ id: string }>("/api/skills", { name: "cook", description: "Cooks" });
    for (const path of [`/api/tools/${tool}`, "/api/tools/_builtin_get_date_time", `/api/skills/${skill}`]) {
      const first = await api.post<{ enabled: boolean }>(`${path}/toggle`, {});
      const second = await api.post<{ enabled: boolean }>(`${path}/toggle`, {});
      expect([path, second.enabled]).toEqual([path, !first.enabled]);
    }
  });
});

describe("a list field of a tool", () => {
  const LISTS = ["tags", "keywords", "rules", "character_ids"];

  test("accepts a list or text with commas, with the same limits", () => {
    const fields = [...parley.host.all(Tools), ...parley.host.all(ToolTables).flat()].flatMap(({ name, args }) => {
      const known = Object.keys(args.describe().keys ?? {});
      return LISTS.filter((field) => known.includes(field)).map((field) => ({
        name,
        field,
        schema: args.extract(field),
      }));
    });
    expect(fields.length).toBeGreaterThan(5);
    for (const { name, field, schema } of fields) {
      const asText = schema.validate(" one, two,,three ");
      expect([name, field, asText.error, asText.value]).toEqual([name, field, undefined, ["one", "two", "three"]]);
      expect(schema.validate(["one", "two", "three"]).value).toEqual(asText.value);
      const many = Array.from({ length: 1_000 }, (_, index) => `w${index}`);
      expect([name, field, schema.validate(many).error === undefined]).toEqual([name, field, false]);
      expect([name, field, schema.validate(many.join(",")).error === undefined]).toEqual([name, field, false]);
    }
  });
});

describe("the name of a download", () => {
  const NAMES = ["../../etc/passwd", "..\\..\\boot.ini", "a/b.exe", ".htaccess", 'quo"te', "  "];

  test.each(NAMES)("%j contains no folder and is not hidden", async (name) => {
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: name.trim() || "blank" });
    const { headers } = await api.send("GET", `/api/sessions/${id}/export?download=true`);
    const disposition = headers.get("content-disposition") ?? "";
    const encoded = /filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1] ?? "";
    expect(decodeURIComponent(encoded)).toMatch(/^[^./\\\p{Cc}\p{Cf}][^/\\\p{Cc}\p{Cf}]*\.json$/u);
    expect(disposition).toMatch(/^attachment; filename="[\w. -]+"; filename\*=/);
  });

  test("is built in one place", () => {
    const writers = globSync("{core,host,plugins,adapters}/**/src/**/*.ts", {
      cwd: repository,
      exclude: (path) => /node_modules|\/console\/|\.test\.ts$/.test(path),
    }).filter((file) => {
      const text = readFileSync(join(repository, file), "utf8");
      return /content-disposition["']?\s*:\s*[`"']|`(inline|attachment); filename/i.test(text);
    });
    expect(writers).toEqual([]);
  });
});

describe("If-Match", () => {
  const change = (tag: string) =>
    api.send("PUT", "/api/heartbeat/content", { body: { content: `now ${tag}` }, headers: { "if-match": tag } });

  test("accepts a tag weak, bare or quoted, and * for any", async () => {
    const forms = [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => tag.replaceAll('"', ""),
      () => "*",
    ];
    for (const form of forms) {
      const { etag } = await api.get<{ etag: string }>("/api/heartbeat/content");
      expect(etag).toMatch(/^"\d+"$/);
      expect((await change(form(etag))).status).toBe(200);
    }
  });

  test("with any other tag is a conflict", async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", { name: "one" });
    for (const tag of ['"not-the-etag"', 'W/"abc"', '"99"', "'1'", '"1", "2"']) {
      expect([tag, (await change(tag)).status]).toEqual([tag, 409]);
      const sent = await api.send("PUT", `/api/sessions/${id}`, {
        body: { name: "two" },
        headers: { "if-match": tag },
      });
      expect([tag, sent.status]).toEqual([tag, 409]);
    }
  });
});

describe("the environment variable for stickers", () => {
  test.each(["maybe", "ja", "treu", "2"])(
    "'%s' keeps them off with one warning, and the service starts",
    async (value) => {
      const env = { SVC_STICKER_ENABLED: value };
      const { problems, warnings } = await checkConfiguration({ root: parley.root, env, flags: { port: 0 } });
      expect(problems).toEqual([]);
      expect(warnings.filter((one) => one.includes("SVC_STICKER_ENABLED"))).toEqual([
        expect.stringMatching(/^SVC_STICKER_ENABLED: .+: it stays off$/),
      ]);
      await using other = await startParley({ env });
      const settings = await (await other.signIn()).get<{ features: { sticker: boolean } }>("/api/settings");
      expect(settings.features.sticker).toBe(false);
    },
  );
});
