import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { BUNDLED_PLUGINS } from "../host/src/plugins/first-party.ts";
import { findImportCycles } from "./harness/import-cycles.ts";

const root = dirname(import.meta.dirname);
const OURS = /^@parley\//;
const CORE = new RegExp(`^@parley/core(/(${readCoreEntries().join("|")}))?$`);
/** Published for tests of third parties; uses no other package of ours. */
const SIMULATORS = "tests/simulators";
/** The package for plugin authors' tests. */
const TESTING = "tests/testing";
/** For programs of third parties; uses only the API description of the service. */
const CLIENT = "adapters/web/client";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly homepage?: unknown;
  readonly bugs?: unknown;
  readonly repository?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Creates folders of new services, adapters and plugins; runs where no other package of ours is installed. */
const CREATE = "host/create";
/** Runs the host and its tools; no part of the host knows it. */
const CLI = "host/cli";
const CREATE_PACKAGE = ["host/create-adapter", "host/create-plugin"];
const ALONE = ["core", SIMULATORS, CLIENT, CREATE];
/** Returns what a package may depend on. */
const neededBy = (folder: string) => {
  if (ALONE.includes(folder)) return [];
  // It runs the real record store on a database in memory, because a copy would be a second mechanism.
  if (folder === TESTING) return ["@parley/plugin-records", "@parley/simulators", "@parley/core"];
  if (folder === CLI) return ["@parley/core", "@parley/host"];
  return CREATE_PACKAGE.includes(folder) ? ["@parley/create"] : ["@parley/core"];
};

const FOLDERS = ["core", "host", "plugins/*", "adapters/*", "examples/*"];
const packages = globSync([...FOLDERS, CLI, SIMULATORS, TESTING, CLIENT, CREATE, ...CREATE_PACKAGE], { cwd: root })
  .filter((folder) => existsSync(join(root, folder, "package.json")))
  .map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest,
    sources: globSync("src/**/*.ts", { cwd: join(root, folder) })
      .filter((file) => !file.endsWith(".test.ts"))
      .map((file) => ({
        file: join(folder, file),
        text: readFileSync(join(root, folder, file), "utf8"),
      })),
  }));

/** True for a file that the tests of one package share; it is not published. */
const isTestSetup = (file: string) => file.endsWith("/test-setup.ts");

function importsOf(text: string): readonly string[] {
  const statements = /^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;
  return [...text.matchAll(statements)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? "");
}

function filesThat(matches: (text: string) => boolean, except: readonly string[]): readonly string[] {
  return packages
    .filter(({ folder }) => !except.some((part) => folder.startsWith(part)))
    .flatMap(({ sources }) => sources.filter(({ text }) => matches(text)).map(({ file }) => file));
}

/** Returns the subpaths of core that plugins may import. */
function readCoreEntries(): readonly string[] {
  const { exports } = JSON.parse(readFileSync(join(root, "core", "package.json"), "utf8")) as {
    readonly exports: object;
  };
  return Object.keys(exports).flatMap((name) => (name === "." ? [] : [name.slice(2)]));
}

/** True where a deprecated service is provided for plugins that still ask for it. */
function isProvided(file: string, name: string): boolean {
  return /^(plugins\/records|tests\/testing)\//.test(file) && ["Collections", "NamedDocument"].includes(name);
}

test("no package of ours imports a name of core that is deprecated or has moved to a subpath", () => {
  const text = readFileSync(join(root, "core/src/deprecated.ts"), "utf8");
  const entry = /@deprecated[^*]*\*\/\s*(?:type )?(\w+)(?: as (\w+))?/g;
  const deprecated = new Set([...text.matchAll(entry)].map(([, name, alias]) => alias ?? name));
  expect(deprecated.size).toBeGreaterThan(170);
  const used = packages.flatMap(({ sources }) =>
    sources.flatMap(({ file, text: source }) =>
      [...source.matchAll(/\{([^{}]*)\}\s*from "@parley\/core"/g)]
        .flatMap(([, names = ""]) => names.split(","))
        .map(
          (name) =>
            name
              .replace(/^\s*type /, "")
              .split(" as ")[0]
              ?.trim() ?? "",
        )
        .filter((name) => deprecated.has(name) && !isProvided(file, name))
        .map((name) => `${file} imports ${name}`),
    ),
  );
  expect(used).toEqual([]);
});

test("the repository root shows what a newcomer needs to understand, and nothing more", () => {
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const visible = new Set(
    tracked.map((file) => file.split("/")[0] ?? "").filter((name) => name && !name.startsWith(".")),
  );
  expect([...visible].sort()).toEqual(
    [
      "LICENSE",
      "README.md",
      "adapters",
      "config.ini",
      "core",
      "examples",
      "host",
      "package.json",
      "plugins",
      "pnpm-lock.yaml",
      "pnpm-workspace.yaml",
      "tests",
    ].sort(),
  );
});

describe.each(packages)("$folder", ({ folder, manifest, sources }) => {
  test("imports no package of ours but core", () => {
    const { dependencies, peerDependencies } = manifest;
    const own = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => OURS.test(name));
    expect(own).toEqual(neededBy(folder));
  });

  test("imports no package of ours but core in its sources", () => {
    const foreign = sources.flatMap(({ file, text }) =>
      importsOf(text)
        .filter((from) => OURS.test(from) && !CORE.test(from))
        .filter((from) => !(isTestSetup(file) && from === "@parley/testing"))
        .filter((from) => !(folder === CLI && /^@parley\/host\b/.test(from)))
        .filter((from) => !(folder === TESTING && /^@parley\/(simulators|plugin-records)\b/.test(from)))
        .map((from) => `${file} imports ${from}`),
    );
    expect(foreign).toEqual([]);
    const outside = sources.flatMap(({ file, text }) =>
      importsOf(text)
        .filter((from) => from.startsWith("."))
        .filter((from) => relative(folder, join(dirname(file), from)).startsWith(".."))
        .map((from) => `${file} imports ${from}`),
    );
    expect(outside).toEqual([]);
  });

  test("describes itself in a short README", () => {
    const lines = readFileSync(join(root, folder, "README.md"), "utf8").split("\n");
    expect(lines.length).toBeLessThanOrEqual(61);
    expect(lines[0]).toBe(`# ${manifest.name}`);
  });
});

test("the server depends on every plugin that is enabled by default", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "host", "server", "package.json"), "utf8")) as Manifest;
  const names = [...Object.values(BUNDLED_PLUGINS), "@parley/cli", "@parley/core", "@parley/create", "@parley/host"];
  expect(names.filter((name) => dependencies?.[name] !== "workspace:^")).toEqual([]);
});

test("published packages state their origin, and contain nothing that exists only in a clone", () => {
  const check = [join(root, ".config", "manifests.mjs"), "--check"];
  expect(spawnSync(process.execPath, check, { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
});

test("no published address is without an owner", () => {
  const names = /\bexample\.(com|net|org)\b|\.(example|invalid|test)\b/;
  const addresses = packages
    .filter(({ manifest }) => !manifest.private)
    .flatMap(({ folder, manifest }) =>
      [manifest.homepage, manifest.bugs, manifest.repository].flatMap((address) =>
        names.test(JSON.stringify(address ?? "")) ? [`${folder}: ${JSON.stringify(address)}`] : [],
      ),
    );
  expect(addresses).toEqual([]);
  const made = globSync("host/create/templates/**/README.md", { cwd: root });
  expect(made.filter((file) => names.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
});

test("no files import each other in a circle, not even for types", () => {
  const sources = ["core", "host", "plugins/*", "adapters/*", "adapters/web/*", "examples/*"].map(
    (folder) => `${folder}/src/**/*.{ts,tsx}`,
  );
  expect(findImportCycles(root, sources)).toEqual([]);
});

test("core does no input or output", () => {
  const io = /^node:(fs|net|http|https|http2|tls|dgram|dns|child_process|worker_threads|cluster|sqlite)/;
  // Types, and what only reads an address.
  const pure = /^import (type .*|\{ (BlockList|isIP)(, (BlockList|isIP))* \} from "node:net";)$/gm;
  const found = packages
    .filter(({ folder }) => folder === "core")
    .flatMap(({ sources }) => sources)
    .flatMap(({ file, text }) =>
      importsOf(text.replaceAll(pure, ""))
        .filter((from) => io.test(from))
        .map((from) => `${file} imports ${from}`),
    );
  expect(found).toEqual([]);
});

test("simulators and suites are for tests: no published code needs them or imports them outside a test", () => {
  const forTests = ["@parley/simulators", "@parley/testing"];
  const needs = packages
    .filter(({ manifest: { dependencies, peerDependencies, optionalDependencies } }) =>
      forTests.some((name) => Object.hasOwn({ ...dependencies, ...peerDependencies, ...optionalDependencies }, name)),
    )
    .map(({ folder }) => folder);
  expect(needs.filter((folder) => folder !== TESTING)).toEqual([]);
  const imports = (text: string) =>
    importsOf(text).some((from) => /@parley\/(simulators|testing)|\/simulators\//.test(from));
  expect(filesThat(imports, [TESTING]).filter((file) => !isTestSetup(file))).toEqual([]);
});

test("only the host imports the container; core defines its token type", () => {
  expect(filesThat((text) => /^import (?!type )[^;]*"tsyringe"/m.test(text), ["host"])).toEqual([]);
});

test("nothing accesses the network directly: Egress is the only way out", () => {
  const reaches = (text: string) =>
    importsOf(text).some((from) => from === "undici" || from === "node:https") || /(?<![\w.])fetch\(/.test(text);
  expect(filesThat(reaches, ["host", "core", SIMULATORS, TESTING])).toEqual([]);
});

test("tools are called through the guard only: nobody else reads contributed tools", () => {
  const asks = (text: string) => /\.all\((Tools|ToolTables|ToolSources)\)/.test(text);
  expect(filesThat(asks, ["plugins/mcp-bridge"])).toEqual([]);
  const inside = packages.find(({ folder }) => folder === "plugins/mcp-bridge")?.sources ?? [];
  expect(inside.filter(({ text }) => asks(text)).map(({ file }) => file)).toEqual([
    "plugins/mcp-bridge/src/guard/factories.ts",
  ]);
});

test("only the gateway's store and its migrations access its tables", () => {
  const speaksSql = (text: string) => /\b(fixedStatement|selectFrom|DatabaseSync|\.tables<)|from "kysely"/.test(text);
  const inside = packages.find(({ folder }) => folder === "plugins/gateway")?.sources ?? [];
  const files = inside
    .filter(({ text }) => speaksSql(text))
    .map(({ file }) => file.replace("plugins/gateway/src/", ""));
  const isExempt = (file: string) => file.startsWith("store/") || ["migrations.ts", "test-setup.ts"].includes(file);
  expect(files.filter((file) => !isExempt(file))).toEqual([]);
});

test("models are called in one way: nobody else loads a provider, or calls an opened model", () => {
  const calls = (text: string) =>
    importsOf(text.replaceAll(/^import type .*$/gm, "").replaceAll(/^import type \{[^}]*\} from .*$/gm, "")).some(
      (from) => from === "ai" || from.startsWith("@ai-sdk/"),
    ) || /\.do(Generate|Stream|Embed)\(|\b(stream|generate)(Text|Object)\(/.test(text);
  expect(filesThat(calls, ["plugins/models"])).toEqual([]);
  const needs = packages
    .filter(({ manifest: { dependencies = {} } }) =>
      Object.keys(dependencies).some(
        (name) => name === "ai" || (name.startsWith("@ai-sdk/") && name !== "@ai-sdk/provider"),
      ),
    )
    .map(({ folder }) => folder);
  expect(needs).toEqual(["plugins/models"]);
});

test("only the host reads the environment of the process", () => {
  expect(filesThat((text) => /process\.env/.test(text), ["host", TESTING])).toEqual([]);
});

test.each([
  ["compares secrets", /\btimingSafeEqual\(/, ["core/src/secrets/", "examples/"]],
  ["decodes strict UTF-8", /\bfatal: true/, ["core/src/text/decode-text.ts", "core/src/http/read-json.ts"]],
  ["guesses an encoding", /"(jschardet|iconv-lite)"/, ["core/src/text/"]],
  ["parses ZIP archives", /\binflateRaw\b/, ["core/src/archive/"]],
  [
    "formats the name of a download",
    /filename\*?=/,
    ["core/src/http/content-disposition.ts", "core/src/channels/multipart.ts"],
  ],
  ["parses Markdown of messages", /requireModule\("markdown-it"\)/, ["core/src/markdown/"]],
  [
    "encrypts secrets, besides two marks that prove an origin",
    /\bSecretBox\b/,
    [
      ...["core/src/services/storage/", "core/src/index.ts", "plugins/records/src/", TESTING],
      ...["plugins/mcp-bridge/src/index.ts", "plugins/mcp-bridge/src/web-agent/pending-calls.ts"],
      ...["plugins/s3/src/", "plugins/models/src/test-setup.ts"],
    ],
  ],
  ["marks text of others in a prompt", /<data(>| source=| \w+>| …)/, ["core/src/points/turn/data-block.ts"]],
  [
    "escapes HTML",
    /&(lt|quot);/,
    [
      "core/src/http/escape-html.ts",
      "core/src/points/turn/data-block.ts",
      "host/src/http/openapi/docs-page.ts",
      "plugins/chat/src/prompt/assemble-prompt.ts",
      "plugins/tools/src/custom/http-request.ts",
      "plugins/voice/src/speech-text.ts",
      "tests/",
    ],
  ],
  [
    "queues work by key",
    /\.then\((\w+), \1\)/,
    ["core/src/async/", "host/src/unended-calls.ts", "plugins/world-books/src/activation/"],
  ],
  [
    "limits the time of work, besides races of two events",
    /Promise\.race\(/,
    [
      ...["core/src/async/", "host/cli/src/doctor/examine-certificates.ts", "host/src/diagnostics/"],
      ...["plugins/chat/src/", "plugins/gateway/src/deliver/direct-sends.ts", "tests/", "examples/"],
      ...["plugins/gateway/src/deliver/send-rate-limiter.ts", "plugins/gateway/src/turn/outcome-waiter.ts"],
      ...["plugins/mcp-bridge/src/client/connection/child-process.ts", "plugins/mcp-bridge/src/server/http/"],
    ],
  ],
  [
    "tells an object from a list",
    /typeof (\w+) [!=]== "object" (&&|\|\|) \1 [!=]== null (&&|\|\|) !?Array\.isArray\(\1\)/,
    ["core/src/json/index.ts"],
  ],
  [
    "shortens a text with an ellipsis, besides titles, which end with a word, and budgets in code points",
    /\}…`/,
    [
      ...["core/src/channels/split-text.ts", "plugins/chat/src/answer/session-titles.ts"],
      "plugins/world-books/src/activation/lore.ts",
    ],
  ],
  ["shares a cache on disk", /"@keyv\/sqlite"/, ["plugins/records/src/caches/cache-file.ts"]],
])("one place %s", (_what, pattern, places) => {
  const files = filesThat((text) => pattern.test(text), []);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !places.some((place) => file.startsWith(place)))).toEqual([]);
});

test("the console refetches data in one way, which never takes an old response for a new one", () => {
  const console = join(root, "adapters", "web", "console", "src");
  const inItself = globSync("**/*.{ts,tsx}", { cwd: console })
    .filter((file) => !file.includes(".test."))
    .filter((file) => /\.(invalidate|refetch)Queries\(/.test(readFileSync(join(console, file), "utf8")));
  expect(inItself).toEqual([join("shared", "live", "refetch.ts")]);
});

test("the console calls the service in one way, which notices the end of a login", () => {
  const console = join(root, "adapters", "web", "console", "src");
  const inItself = globSync("**/*.{ts,tsx}", { cwd: console })
    .filter((file) => !file.includes(".test."))
    .filter((file) =>
      /(?<![\w.])fetch\(|XMLHttpRequest\(|EventSource\(|sendBeacon\(/.test(readFileSync(join(console, file), "utf8")),
    );
  expect(inItself.sort()).toEqual([join("shared", "api", "client.ts"), join("shared", "api", "upload.ts")]);
});

test("the folders of tests hold tests", () => {
  const empty = readdirSync(join(root, "tests"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !["node_modules", "fixtures"].includes(entry.name))
    .filter(({ name }) => globSync("**/*.ts", { cwd: join(root, "tests", name) }).length === 0);
  expect(empty.map(({ name }) => name)).toEqual([]);
});
