import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { IMC_APP, type ImcServer, startImcServer } from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { NPM_SETTINGS, type Registry, startRegistry } from "../harness/npm-registry.ts";
import { packExample } from "../harness/packed-example.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const repository = join(import.meta.dirname, "..", "..");
const packages = join(repository, ".artefacts", "packages");
const MAX_MEGABYTES = 120;
const WITHIN_MS = 600_000;
const credentials = { username: "admin", password: "correct horse" };
const WEBHOOK_SECRETS = { IMC_ENCRYPT_KEY: "encrypt-key", IMC_VERIFICATION_TOKEN: "vt" };
const environment = {
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  SVC_ADMIN_PASSWORD: credentials.password,
};

let root: string;
let registry: Registry;
const bot = () => join(root, "my-bot");
/** Returns the command that `npx --no parley` runs. */
const command = () => join(bot(), "node_modules", ".bin", "parley");

/** Runs a command as a person would type it. */
async function run(program: string, args: readonly string[], cwd = bot()) {
  // npm needs the proxies and certificates of this machine.
  const env = { ...process.env, ...environment, ...NPM_SETTINGS };
  const options = { cwd, env, encoding: "utf8", maxBuffer: 2 ** 26 } as const;
  return promisify(execFile)(program, args, options).then(({ stdout, stderr }) => `${stdout}${stderr}`);
}

/** Gets our packages from this test's registry, and all others from the configured one. */
const useRegistry = (folder: string) => writeFileSync(join(folder, ".npmrc"), `@parley:registry=${registry.address}\n`);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "parley-npm-"));
  registry = await startRegistry(packages);
  expect(registry.names, "npm run build packs them").toContain("@parley/server");
  mkdirSync(bot());
  useRegistry(bot());
  await run("sh", ["-c", "npm init --yes @parley . && npm install --no-audit --no-fund"]);
  // Follows the Dockerfile, in the created folder.
  const dockerfile = readFileSync(join(repository, "host", "server", "deploy", "Dockerfile"), "utf8");
  const [, command = ""] = /^RUN (npm ci .*?) && npm cache/m.exec(dockerfile) ?? [];
  expect(command).toContain("--omit=dev");
  await run("sh", ["-c", command]);
}, WITHIN_MS);
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  rmSync(root, { recursive: true, force: true });
});

describe("the installation by npm", () => {
  test("is small", async () => {
    const sizes = await run("du", ["-sm", "node_modules"]);
    expect(Number.parseInt(sizes, 10)).toBeLessThanOrEqual(MAX_MEGABYTES);
  });

  test("compiles and downloads nothing by itself: no package has an install script", () => {
    const { packages: locked } = JSON.parse(readFileSync(join(bot(), "package-lock.json"), "utf8")) as {
      readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean; readonly resolved?: string }>>;
    };
    const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(scripted.map(([name]) => name)).toEqual([]);
    expect(Object.keys(locked).filter((name) => /better-sqlite3|recheck/.test(name))).toEqual([]);
  });

  test("has one copy of each of our packages, and names nothing that only a clone has", () => {
    const ours = globSync("node_modules/**/@parley/*/package.json", { cwd: bot() });
    expect(ours.filter((file) => file.split("node_modules").length > 2)).toEqual([]);
    const odd = ours.filter((file) =>
      /@parley\/source|workspace:|catalog:/.test(readFileSync(join(bot(), file), "utf8")),
    );
    expect(odd).toEqual([]);
  });
});

test("the contract's types are valid also for a package that checks its libraries", async () => {
  const folder = join(bot(), "typed");
  mkdirSync(folder);
  writeFileSync(join(folder, "index.ts"), 'export { definePlugin, type ModelProtocol } from "@parley/core";\n');
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2024", lib: ["esnext"], strict: true, noEmit: true, skipLibCheck: false },
    ...{ types: ["node"], typeRoots: [join(repository, "node_modules", "@types")] },
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  expect(await run(join(repository, "node_modules", ".bin", "tsc"), ["-p", folder])).toBe("");
});

describe("the command", () => {
  test("prints its version, and its check finds no problem", async () => {
    expect(await run("npx", ["parley", "--version"])).toMatch(/^\d+\.\d+\.\d+\n/);
    expect(await run(command(), ["check"])).toContain("everything fits together");
  });

  test("leaves an existing folder unchanged", async () => {
    const before = readFileSync(join(bot(), "config.ini"), "utf8");
    expect(await run(command(), ["init"])).toContain("left as it is: config.ini, package.json");
    expect(readFileSync(join(bot(), "config.ini"), "utf8")).toBe(before);
  });

  test("installs a packed adapter, and enables it", async () => {
    const tarball = packExample("adapter-echo", join(root, "echo"));
    expect(await run(command(), ["add", tarball])).toMatch(/enabled in config\.ini as plugin 'echo'$/m);
    expect(existsSync(join(bot(), "node_modules", "example-parley-adapter-echo"))).toBe(true);
    expect(await run(command(), ["check"])).not.toContain("its own copy of @parley/core");
  });

  test("removes it again, and the printed command adds it", async () => {
    const config = readFileSync(join(bot(), "config.ini"), "utf8");
    const removed = await run(command(), ["remove", "example-parley-adapter-echo"]);
    const [, again = ""] = /^it comes back with: (npx --no parley add .*\.tgz)$/m.exec(removed) ?? [];
    expect(existsSync(join(bot(), "node_modules", "example-parley-adapter-echo"))).toBe(false);
    expect(await run(command(), ["plugins"])).not.toMatch(/^echo /m);
    expect(await run("sh", ["-c", again])).toMatch(/enabled in config\.ini as plugin 'echo'$/m);
    expect(readFileSync(join(bot(), "config.ini"), "utf8")).toBe(config);
  });
});

describe("the service", () => {
  let service: ParleyProcess;
  let imc: ImcServer;
  let collector: Server;
  const exported: string[] = [];
  let api: Client;

  beforeAll(async () => {
    collector = createServer(async (request, response) => {
      exported.push(await text(request));
      response.setHeader("content-type", "application/json").end("{}");
    }).listen(0, "127.0.0.1");
    [imc] = await Promise.all([startImcServer(), once(collector, "listening")]);
    const { port } = collector.address() as AddressInfo;
    const config = readFileSync(join(bot(), "config.ini"), "utf8");
    expect(config).toContain("[telemetry]\n");
    writeFileSync(
      join(bot(), "config.ini"),
      config.replace("[telemetry]\n", `[telemetry]\notlp_url = http://127.0.0.1:${port}\n`),
    );
    const env = { ...environment, IMC_APP_SECRET: IMC_APP.secret, ...WEBHOOK_SECRETS };
    service = await startProcess({ root: bot(), command: command(), env });
    const open = createClient(service.address, "");
    api = open.as((await open.post<{ token: string }>("/api/login", credentials)).token);
  });
  afterAll(async () => {
    await service?.stop();
    await imc?.[Symbol.asyncDispose]();
    collector?.closeAllConnections();
    collector?.close();
  });

  test("checks patterns with the bundled library", async () => {
    const runUntil = async (pattern: string) => {
      const { json } = await api.send("POST", "/api/message-filter", { body: { pattern, type: "regex" } });
      const rule = json?.data as { readonly id: string } | undefined;
      await api.send("DELETE", `/api/message-filter/${rule?.id}`);
      return json?.message;
    };
    expect(await runUntil("(x+x+)+y")).toContain("for example on");
    expect(await runUntil("^never-said-[a-z]$")).toBe("");
  });

  test("holds a connection to imC with the bundled library", async () => {
    await api.post("/api/channels/presets/imC_ws", { config: { app_id: IMC_APP.id, api_base: imc.address } });
    await eventually(() => expect(imc.connections().open).toBe(1));
    await imc.say("oc_501", "hello");
    await imc.waitFor(() => imc.shown("oc_501").length === 1);
  });

  test("accepts encrypted and signed messages of imC", async () => {
    await api.post("/api/channels/presets/imC", { config: { app_id: IMC_APP.id, api_base: imc.address } });
    const [encryptKey, verificationToken] = [WEBHOOK_SECRETS.IMC_ENCRYPT_KEY, WEBHOOK_SECRETS.IMC_VERIFICATION_TOKEN];
    imc.useWebhook({ url: `${service.address}/api/channels/imC/imC/webhook`, encryptKey, verificationToken });
    await imc.say("oc_502", "hello");
    await imc.waitFor(() => imc.shown("oc_502").length === 1);
  });

  test("serves its console, answers a message, and ends gracefully", async () => {
    const page = await api.send("GET", "/");
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")]);
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const { replies } = await api.post<{ replies: readonly unknown[] }>(`/api/sessions/${id}/chat`, {
      content: "hello",
    });
    expect(replies).toHaveLength(1);
    const { items } = await api.get<{ items: readonly { id: string; state: string }[] }>("/api/plugins");
    expect(items.filter(({ state }) => state !== "running")).toEqual([]);
    expect(items.map(({ id }) => id)).toContain("echo");
    expect(await service.stop()).toBe(0);
    // Spans that were not exported yet are exported at the end.
    expect(exported.join()).toContain("model chat");
  });
});

test(
  "a host without plugins names what to install, and does not start",
  async () => {
    const alone = mkdtempSync(join(root, "alone-"));
    useRegistry(alone);
    writeFileSync(join(alone, "package.json"), '{ "type": "module" }');
    await run("npm", ["install", "@parley/cli"], alone);
    writeFileSync(join(alone, "start.js"), 'import { runCommand } from "@parley/cli/command"; await runCommand();');
    const failed = await run(process.execPath, ["start.js", "--port", "0"], alone).catch((error) => error);
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("npm install @parley/server") });
  },
  WITHIN_MS,
);
