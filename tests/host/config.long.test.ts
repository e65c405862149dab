import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { checkConfiguration } from "@parley/cli";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";
import { runParley } from "../harness/process.ts";

const repository = dirname(dirname(import.meta.dirname));
const shipped = readFileSync(join(repository, "config.ini"), "utf8");

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-config-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const findProblems = async (content: string | Buffer, env: Readonly<Record<string, string>> = {}) => {
  writeFileSync(join(root, "config.ini"), content);
  return (await checkConfiguration({ root, env, packages: ["chat", "storage"] })).problems.filter(
    (problem) => !problem.startsWith("plugin 'chat': needs"),
  );
};

/** A setting in the default config file, including those commented out. */
interface Setting {
  readonly section: string;
  readonly key: string;
  readonly value: string;
}
const settings: readonly Setting[] = shipped.split("\n").reduce<{ section: string; found: Setting[] }>(
  ({ section, found }, line) => {
    const header = /^;?\[(.+)\]$/.exec(line)?.[1];
    const [, key, value = ""] = /^;?([a-z_]\w*(?:\.[a-z]+)?) *=([^;]*)/.exec(line) ?? [];
    return { section: header ?? section, found: key ? [...found, { section, key, value: value.trim() }] : found };
  },
  { section: "", found: [] },
).found;
/** The file with all commented settings and sections enabled. */
const uncommented = shipped.replaceAll(/^;(?=[a-z_][\w.]* *=|\[)/gm, "");
/** Names in [plugins] are chosen freely, so that section is omitted. */
const namedSettings = settings
  .filter(({ section }) => section !== "plugins")
  .map(({ section, key }) => [section, key] as const);

test("a plugin listed under [plugin] instead of [plugins] is reported, also if one of that name exists", async () => {
  expect(await findProblems("[plugin]\nacme = acme-adapter\nsticker = off\n")).toEqual([
    "config.ini, [plugin] acme: is not known; did you mean '[plugins]'?",
    "config.ini, [plugin] sticker: is not known; did you mean '[plugins]'?",
  ]);
});

describe("the bundled config.ini", () => {
  test("contains only known keys, also in comments", async () => {
    expect(settings.length).toBeGreaterThan(25);
    expect(await findProblems(shipped)).toEqual([]);
    writeFileSync(join(root, "config.ini"), uncommented);
    const { problems } = await checkConfiguration({
      root,
      env: {
        PARLEY_DATABASE_URL: "postgresql://127.0.0.1/parley",
        PARLEY_S3_ACCESS_KEY: "access-key",
        PARLEY_S3_SECRET_KEY: "secret-key",
      },
    });
    expect(problems).toEqual([]);
  });

  /** Creates a file with these settings. */
  const writeSettings = (lines: readonly Setting[]) =>
    lines.map(({ section, key, value }) => `[${section}]\n${key} = ${value}\n`).join("");

  test("gets a suggestion for a mistyped key", async () => {
    const slips = settings
      .filter(({ section, key }) => !section.startsWith("plugin") && !key.includes("."))
      .map(({ section, key }) => ({ section, key: `${key}s`, value: "1" }));
    expect(await findProblems(writeSettings(slips))).toEqual(
      slips.map(
        ({ section, key }) => `config.ini, [${section}] ${key}: is not known; did you mean '${key.slice(0, -1)}'?`,
      ),
    );
  });

  test("accepts every word for a switch, and no other", async () => {
    const switches = settings.filter(
      ({ section, value }) => !section.startsWith("plugin") && /^(true|false|on|off)$/.test(value),
    );
    expect(switches.length).toBeGreaterThan(8);
    const saying = (value: string) => findProblems(writeSettings(switches.map((one) => ({ ...one, value }))));
    for (const word of ["on", "Off", "YES", "no", "True", "false", "1", "0"]) expect(await saying(word)).toEqual([]);
    expect(await saying("maybe")).toEqual(
      switches.map(
        ({ section, key }) =>
          `config.ini, [${section}] ${key}: 'maybe' is not on or off (also yes and no, true and false, 1 and 0)`,
      ),
    );
  });
});

/** Test of each setting's effect: file, and words in it. */
const EFFECTS: Readonly<Record<string, readonly [file: string, words: string]>> = {
  "web.host": ["tests/host/plugins.test.ts", "host = 127.0.0.2"],
  "web.port": ["tests/host/config.long.test.ts", "[web]\\nport = 0"],
  "web.trusted_proxies": ["tests/flows/settings.long.test.ts", "trusted_proxies = 127.0.0.7"],
  "web.public_base_url": ["tests/flows/settings.long.test.ts", "public_base_url = https://chat.example"],
  "web.allowed_hosts": ["tests/attack/http-requests.test.ts", "allowed_hosts = parley"],
  "web.cors_origins": ["tests/flows/settings.long.test.ts", "cors_origins = https://app.example"],
  "gateway.data_dir": ["tests/host/config.long.test.ts", "data_dir = elsewhere"],
  "gateway.storage_enabled": ["tests/flows/gateway.long.test.ts", "storage_enabled = false"],
  "gateway.record_turns": ["tests/flows/replay.long.test.ts", "is not recorded with %s = false"],
  "mcp.transport": ["tests/flows/mcp-model.test.ts", "transport = streamable-http"],
  "mcp.host": ["tests/flows/mcp-server.test.ts", "host = 0.0.0.0"],
  "mcp.port": ["tests/flows/mcp-model.test.ts", "import { findFreePort }"],
  "mcp.admin": ["tests/flows/web-agent.test.ts", "admin = true"],
  "mcp.send_message_enabled": ["plugins/mcp-bridge/src/guard/tool-guard.test.ts", "send_message_enabled"],
  "mcp.register_node_enabled": ["tests/flows/mcp-tools.test.ts", "register_node_enabled"],
  "mcp.submit_task_enabled": ["tests/flows/mcp-tools.test.ts", "submit_task_enabled"],
  "mcp.retry_require_confirmation": ["plugins/mcp-bridge/src/guard/tool-guard.test.ts", "retry_require_confirmation"],
  "mcp.audit_enabled": ["plugins/mcp-bridge/src/guard/tool-guard.test.ts", "audit_enabled"],
  "mcp.http_auth": ["tests/flows/mcp-conformance.test.ts", "http_auth = off_on_loopback"],
  "mcp.allowed_hosts": ["tests/flows/mcp-server.test.ts", "allowed_hosts = tools.example"],
  "mcp.connect_url": ["tests/flows/mcp-model.test.ts", "connect_url"],
  "mcp_client.allowed_commands": ["plugins/mcp-bridge/src/settings.test.ts", "allowed_commands"],
  "mcp_client.server.files": ["tests/flows/mcp-client.long.test.ts", "toCommandLinesConfig(LINES)"],
  "mcp_client.pass_env": ["tests/flows/mcp-client.long.test.ts", "pass_env = npm_config_registry"],
  "log.level": ["tests/host/config.long.test.ts", "level = debug"],
  "log.format": ["tests/host/config.long.test.ts", "format = json"],
  "log.file": ["tests/host/config.long.test.ts", "file = no"],
  "telemetry.otlp_url": ["tests/flows/telemetry.test.ts", "otlp_url = "],
  "plugin.postgres.url_env": ["tests/sql/lost-node.long.test.ts", "url_env = DATABASE"],
  "plugin.postgres.nodes": ["tests/sql/nodes-move.long.test.ts", "nodes = true"],
  "plugin.s3.endpoint": ["tests/harness/chosen-files.ts", "endpoint = "],
  "plugin.s3.bucket": ["tests/harness/chosen-files.ts", "bucket = "],
  "telemetry.service_name": ["tests/flows/telemetry.test.ts", "service_name = parley-test"],
};
describe("each setting", () => {
  test.each(namedSettings.map(([section, key]) => `${section}.${key}`))("%s has a test of its effect", (name) => {
    const [file, words] = EFFECTS[name] ?? ["", ""];
    expect(file, `no test is named for ${name}`).not.toBe("");
    const text = readFileSync(join(repository, file), "utf8");
    // The table itself contains the words, so it is removed first.
    expect(text.replace(/const EFFECTS[\s\S]*?\n};/, "")).toContain(words);
  });

  test("[gateway] storage_enabled accepts every word for off, and the history is stored in data_dir", async () => {
    const historyOf = async (word: string) => {
      await using parley = await startParley({
        config: `[gateway]\nstorage_enabled = ${word}\ndata_dir = elsewhere\n`,
      });
      const { storage } = await (await parley.signIn()).get<{ storage: { enabled: boolean } }>("/api/gateway/stats");
      const isIn = (folder: string) => existsSync(join(parley.root, folder, "gateway.db"));
      return [storage.enabled, isIn("elsewhere"), isIn("data")];
    };
    expect(await historyOf("OFF")).toEqual([false, false, false]);
    expect(await historyOf("Yes")).toEqual([true, true, false]);
  });

  test("[log] and [web] configure the log, its files, and the listening address", async () => {
    const started = async (log: string) => {
      rmSync(root, { recursive: true, force: true });
      mkdirSync(root);
      writeFileSync(join(root, "config.ini"), `[web]\nport = 0\n[log]\n${log}`);
      const child = runParley({ root, args: [] });
      let output = "";
      child.stderr?.on("data", (text) => {
        output += text;
      });
      const ready = new Promise<void>((resolve) =>
        child.stdout?.on("data", (text) => String(text).includes("ready http") && resolve()),
      );
      await ready;
      child.kill("SIGTERM");
      await once(child, "close");
      return { said: output, hasFile: existsSync(join(root, "data", "logs")) };
    };
    const json = await started("level = debug\nformat = json\nfile = no\n");
    expect(JSON.parse(json.said.split("\n")[0] ?? "")).toMatchObject({ level: expect.any(Number) });
    expect(json.said).toContain("plugin started");
    expect(json.hasFile).toBe(false);
    const pretty = await started("level = info\nfile = yes\n");
    expect(pretty.said).toMatch(/INFO: the service stops\s+reason: "SIGTERM"/);
    expect(pretty.said).not.toContain("plugin started");
    expect(pretty.hasFile).toBe(true);
  });
});

describe("a configuration error", () => {
  test.each([
    ["a section nobody knows", "[wep]\nport = 1\n", "config.ini, [wep]: is not known; did you mean 'web'?"],
    [
      "two letters in the wrong order",
      "[web]\nprot = 1\n",
      "config.ini, [web] prot: is not known; did you mean 'port'?",
    ],
    ["a section within one", "[web.more]\nport = 1\n", "config.ini, [web.more]: is not known"],
    ["a key before all sections", "port = 1\n", "config.ini, port: is in no section"],
    [
      "settings of a plugin that is not there",
      "[plugin.chatt]\nmax_steps = 1\n",
      "config.ini, [plugin.chatt]: there is no plugin 'chatt'; did you mean 'chat'?",
    ],
    [
      "a setting of a plugin that has none",
      "[plugin.storage]\nsize = 1\n",
      "[plugin.storage] size: the plugin has no settings",
    ],
    [
      "a switch of a plugin",
      "[plugin.chat]\nname_sessions = perhaps\n",
      "plugin 'chat': [plugin.chat] 'name_sessions': 'perhaps' is not on or off (also yes and no, true and false, 1 and 0)",
    ],
    [
      "a plugin switched on that nobody knows",
      "[plugins]\nacme = on\n",
      "config.ini, [plugins] acme: give the name of its package",
    ],
    [
      "a plugin that is part of another one now",
      "[plugins]\npersonality = off\n",
      "config.ini, [plugins] personality: this plugin is part of 'characters' now, so the line has no effect",
    ],
    [
      "the package of a plugin that is part of another one now",
      "[plugins]\npersonality = @parley/plugin-personality\n",
      "config.ini, [plugins] personality: this plugin is part of 'characters' now, so the line has no effect",
    ],
    ["a port", "[web]\nport = 99999\n", "config.ini, [web] port: '99999' is not a port, 0 to 65535"],
    [
      "a proxy's prefix",
      "[web]\ntrusted_proxies = 10.0.0.1, 10.0.0.0/33\n",
      "config.ini, [web] trusted_proxies: '10.0.0.0/33' is not an IP address, or a network such as 10.0.0.0/8",
    ],
    [
      "an origin with a path",
      "[web]\ncors_origins = https://a.example/x\n",
      "config.ini, [web] cors_origins: 'https://a.example/x' is not an origin such as https://chat.example.org",
    ],
    ["a level", "[log]\nlevel = loud\n", "config.ini, [log] level: 'loud' is not debug or info or warn or error"],
  ])("is reported: %s", async (_what, content, problem) => {
    expect(await findProblems(content)).toEqual([problem]);
  });

  test.each([
    [
      "a key twice",
      "[web]\nport = 1\n[log]\nlevel = info\n[web]\nport = 2\n",
      /line 6: \[web\] port was set in line 2 already/,
    ],
    ["a line that is no setting", "[web]\nport\n", /line 2: 'port' is not a setting/],
    ["a section that does not end", "[web\nport = 1\n", /line 1: '\[web' is not a section/],
    ["UTF-16", Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from("[web]\n", "utf16le")]), /UTF-16: save it as UTF-8/],
    ["UTF-16 without a mark", Buffer.from("[web]\nport = 1\n", "utf16le"), /is not a text file/],
    ["a program", Buffer.of(0x7f, 0x45, 0x4c, 0x46, 0, 0), /is not a text file/],
    ["another encoding", Buffer.of(0x5b, 0xe4, 0x5d), /is not UTF-8/],
  ])("is fatal: %s", async (_what, content, problem) => {
    expect(await findProblems(content)).toContainEqual(expect.stringMatching(problem));
  });

  test("a repeated section is merged, and reported", async () => {
    writeFileSync(join(root, "config.ini"), "[web]\nport = 1\n[log]\nlevel = info\n[web]\nhost = ::1\n");
    const { problems, warnings } = await checkConfiguration({ root, env: {}, packages: ["storage"] });
    expect(problems).toEqual([]);
    expect(warnings).toEqual(["config.ini, line 5: [web] begins in line 1 already: both count as one section"]);
  });

  test("a byte order mark and alternative words for switches are accepted", async () => {
    expect(await findProblems("\uFEFF[plugin.chat]\nname_sessions = Off\n[plugins]\nchat = On\n")).toEqual([]);
  });

  test("variables are validated like keys, and foreign ones ignored", async () => {
    expect(await findProblems("", { SVC_PORT: "x", SVC_SECURE_COOKIES: "sure", SVC_HOSTS: "a" })).toEqual([
      "SVC_PORT: 'x' is not a port, 0 to 65535",
      "SVC_SECURE_COOKIES: 'sure' is not on or off (also yes and no, true and false, 1 and 0)",
      "SVC_HOSTS: is not known; did you mean 'SVC_HOST'?",
    ]);
    expect(await findProblems("", { SVC_WEBHOOK_SECRETS: "a", SVC_SECURE_COOKIES: "yes", ACME: "b" })).toEqual([]);
  });

  test("unknown keys do not prevent a start", async () => {
    await using parley = await startParley({ config: "[web]\ntrusted_proxys = 10.0.0.1\n" });
    expect(parley.address).toContain("127.0.0.1");
  });
});
