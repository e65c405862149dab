import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkConfiguration } from "@parley/cli";
import {
  addResource,
  area,
  type ChannelAdapter,
  ChannelAdapters,
  type ChatCommand,
  ChatCommands,
  ConsoleAreas,
  type DefinedPlugin,
  definePlugin,
  Joi,
  RouteTables,
  rawReply,
  resource,
  route,
  SettingDefinitions,
  setting,
  withLabel,
} from "@parley/core";
import { answerFields } from "@parley/core/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findUnlistedImports } from "../../host/cli/src/packages/unlisted-imports.ts";

const repository = dirname(dirname(import.meta.dirname));
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-additions-"));
  writeFileSync(join(root, "config.ini"), "[log]\nlevel = error\nfile = off\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const warningsOf = async (plugins: readonly DefinedPlugin[], packages: readonly string[] = ["storage", "records"]) =>
  (await checkConfiguration({ root, env: {}, flags: { port: 0 }, packages, plugins })).warnings;

const text = (en: string) => ({ en, zh: en });
const command = (category: string): ChatCommand => ({
  name: "/dance",
  usage: "/dance",
  help: "Dances",
  category,
  adminOnly: false,
  run: async () => "la",
});
const page = (url: string) =>
  area({ id: "dance", group: "chat", title: text("Dance"), icon: "star", view: { kind: "module", url } });
const adapter = (more: Partial<ChannelAdapter>): ChannelAdapter => ({
  type: "dance",
  transports: ["webhook"],
  capabilities: {},
  settings: Joi.object({ token_env: Joi.string().description("Variable with the token") }),
  idempotency: "none",
  open: () => Promise.reject(new Error("not opened")),
  ...more,
});
const pageRow = route({
  method: "GET",
  path: "/api/dance/{file}.js",
  summary: "the page",
  reply: "raw",
  data: { "text/javascript": Joi.string() },
  run: () => rawReply({ body: "", type: "text/javascript" }),
});
const hookRow = route({
  method: "POST",
  path: "/api/dance/{channel_id}/in",
  summary: "the webhook",
  auth: "open",
  reply: "raw",
  data: { "application/json": answerFields.record },
  run: () => rawReply({ body: "{}", type: "application/json" }),
});
const dancers = (fields: Readonly<Record<string, ReturnType<typeof Joi.string>>>, secret: readonly string[] = []) =>
  resource<Record<string, string>>({
    kind: "dancer",
    path: "/api/dancers",
    param: "dancer_id",
    idPrefix: "dan",
    title: { one: text("dancer"), many: text("dancers") },
    about: text("Dancers."),
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, schema]) => [name, withLabel(schema, { title: text(name) })]),
    ),
    secret,
  });
const plugin = (register: DefinedPlugin["register"], config?: DefinedPlugin["config"]) =>
  definePlugin({ id: "dance", register, ...(config && { config }) });

describe("parley check reports to an author", () => {
  const mistakes: readonly (readonly [string, DefinedPlugin, string])[] = [
    [
      "that no list of commands has the category of a command",
      plugin(({ contribute }) => contribute(ChatCommands, () => command("generall"))),
      "the command /dance has the category 'generall', which the list of commands does not have; it is one of general, session, memory, play, admin; did you mean 'general'?",
    ],
    [
      "that no row serves the module of a page",
      plugin(({ contribute }) => contribute(ConsoleAreas, () => page("/api/dance/page.js"))),
      "the page 'dance' loads /api/dance/page.js, which no row serves",
    ],
    [
      "that no row serves the webhook of a channel",
      plugin(({ contribute }) =>
        contribute(ChannelAdapters, () => adapter({ webhookPath: (id) => `/api/dance/${id}/in` })),
      ),
      "channels of type 'dance' have their webhook at /api/dance/example/in, which no row serves",
    ],
    [
      "that a setting of a channel would hold a secret",
      plugin(({ contribute }) =>
        contribute(ChannelAdapters, () =>
          adapter({ settings: Joi.object({ login: Joi.object({ api_key: Joi.string().description("The key") }) }) }),
        ),
      ),
      "the setting 'login.api_key' of channels of type 'dance' would store a secret in plain text",
    ],
    [
      "that a field of a record would show a secret",
      plugin((context) => addResource(context, dancers({ name: Joi.string(), token: Joi.string() }))),
      "the field 'token' of 'dancer' would be shown to everybody who may read: name it under 'secret'",
    ],
    [
      "that a setting of the service would store a secret",
      plugin(({ contribute }) =>
        contribute(SettingDefinitions, () =>
          setting({
            key: "dance.password",
            schema: Joi.string().default(""),
            group: "answering",
            title: text("Password"),
          }),
        ),
      ),
      "the setting 'dance.password' would store a secret in plain text",
    ],
    [
      "that config.ini would hold a secret",
      plugin(() => {}, Joi.object({ token: Joi.string().description("The token") })),
      "[plugin.dance] token would store a secret in plain text in config.ini: name a variable in 'token_env'",
    ],
    [
      "that a raw row returns an object",
      plugin(({ contribute }) => contribute(RouteTables, () => [{ ...pageRow, run: () => ({ body: "" }) }])),
      "the raw route GET /api/dance/{}.js returns an object, and every request to it would fail",
    ],
  ];
  test.each(mistakes)("%s", async (_name, mistaken, sentence) => {
    expect((await warningsOf([mistaken])).join("\n")).toContain(sentence);
  });

  test("nothing for a correct plugin", async () => {
    const right = plugin((context) => {
      addResource(context, dancers({ name: Joi.string(), token: Joi.string() }, ["token"]));
      context.contribute(ChatCommands, () => command("play"));
      context.contribute(ConsoleAreas, () => page("/api/dance/page.js"));
      context.contribute(RouteTables, () => [pageRow, hookRow]);
      context.contribute(ChannelAdapters, () => adapter({ webhookPath: (id) => `/api/dance/${id}/in` }));
    });
    expect(await warningsOf([right])).toEqual([]);
  });

  test("nothing for the bundled plugins", async () => {
    const { warnings } = await checkConfiguration({ root: repository, env: {}, flags: { port: 0 } });
    expect(warnings.filter((one) => /secret|no row serves|category|raw row/.test(one))).toEqual([]);
  });
});

describe("parley check-package reports to an author", () => {
  const write = (path: string, source: string) => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), source);
    return path;
  };

  test("imports of the packed files that its installation does not provide", async () => {
    const files = [
      write(
        "dist/index.js",
        'import { z } from "zod/mini";\nexport { a } from "./a.js";\nawait import("@acme/tool/x");',
      ),
      write(
        "dist/a.js",
        'import "node:fs";\nimport { Joi } from "@parley/core";\nexport const a = "import \'not-this\'";',
      ),
      write("README.md", 'import "not-this-either"'),
    ];
    expect(await findUnlistedImports(root, files, { name: "acme", peerDependencies: { "@parley/core": "*" } })).toEqual(
      [
        expect.stringContaining("dist/index.js imports 'zod', which is not under"),
        expect.stringContaining("dist/index.js imports '@acme/tool', which is not under"),
      ],
    );
  });
});
