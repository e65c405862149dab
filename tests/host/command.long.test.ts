import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTRACT_VERSION } from "@parley/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../harness/http/client.ts";
import { runParley, startProcess } from "../harness/process.ts";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-command-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const run = (...args: string[]) => runWith({}, ...args);

async function runWith(env: Readonly<Record<string, string>>, ...args: string[]) {
  const child = runParley({ root, args, env });
  let out = "";
  let err = "";
  child.stdout?.on("data", (text) => {
    out += text;
  });
  child.stderr?.on("data", (text) => {
    err += text;
  });
  const [code]: unknown[] = await once(child, "close");
  return { code, out, err };
}

describe("the command", () => {
  test("describes itself", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    for (const word of ["start", "check", "plugins", "--data-dir", "--port", "--mcp-connect", "plugins --enable"])
      expect(out).toContain(word);
  });

  test("suggests the intended command", async () => {
    const { code, err, out } = await run("chek");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("error: unknown command 'chek'\n(Did you mean check?)\n");
    expect((await run("help-me-please")).err).toContain("error: unknown command 'help-me-please'\n");
  });

  test("prints its version", async () => {
    expect(await run("--version")).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: "" });
  });

  test("loads nothing of the service for its version and its help", async () => {
    const hooks = `import { registerHooks } from "node:module";
      registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` };
    for (const flag of ["--version", "--help"]) {
      const loaded = (await runWith(env, flag)).err.split("\n").filter((line) => line.startsWith("file:"));
      expect(loaded.filter((file) => !file.includes("/commander/")).length).toBeLessThan(10);
    }
  });

  test("checks a good configuration and a bad one without starting", async () => {
    expect(await run("check")).toMatchObject({ code: 0, out: expect.stringContaining("everything fits together") });
    writeFileSync(join(root, "config.ini"), "[plugins]\nacme = no-such-package\nstorage = off\n");
    const { code, out } = await run("check");
    expect(code).toBe(1);
    expect(out).toContain("package 'no-such-package' is not installed");
    expect(out).toContain("needs 'databases'");
  });

  test("lists the plugins, where they come from and what they add", async () => {
    const { out } = await run("plugins");
    expect(out).toMatch(/sessions {2}@parley\/plugin-sessions 0\.\d+\.\d+ {2}fits/);
    expect(out).toMatch(/from .*plugin-sessions/);
    expect(out).toMatch(/adds .*route-tables × \d/);
  });

  test("enables a plugin that was disabled in the console, and preserves the other settings", async () => {
    const file = join(root, "data", "settings.json");
    mkdirSync(join(root, "data"));
    const plugins = { imc: { enabled: false, config: { x: 1 } }, imb: { enabled: false } };
    writeFileSync(file, JSON.stringify({ timezone: "Asia/Shanghai", plugins }));
    const { code, out } = await run("plugins", "--enable", "imc");
    expect({ code, out }).toEqual({ code: 0, out: "imc is switched on; restart Parley to use it\n" });
    const { out: list } = await run("plugins");
    expect(list).toMatch(/^imc .* fits$/m);
    expect(list).toMatch(/^imb .* off$/m);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      timezone: "Asia/Shanghai",
      plugins: { ...plugins, imc: { enabled: true, config: { x: 1 } } },
    });
    expect(await run("plugins", "--enable", "nobody")).toMatchObject({
      code: 1,
      out: "",
      err: "plugin 'nobody' does not exist\n",
    });
  });

  test("reports in one sentence which folder or file cannot be written", async () => {
    const inNoFolder = [
      ["--data-dir", "/proc/none", "--port", "0"],
      ["dashboards", "/proc/none"],
      ["openapi", "--out", "/proc/none"],
    ];
    for (const args of inNoFolder) {
      const { code, err } = await run(...args);
      expect([args, code, err.trimEnd().split("\n").at(-1)]).toEqual([args, 1, expect.stringMatching(/\/proc\/none/)]);
      expect(err).not.toContain("    at ");
    }
  });

  test("reports the obstacle and ends with 1", async () => {
    writeFileSync(join(root, "config.ini"), "[plugins]\nstorage = off\n");
    const { code, err, out } = await run("--port", "0");
    expect(code).toBe(1);
    expect(err).toContain("Parley cannot start:");
    expect(out).not.toContain("ready");
  });
});

describe("a running service", () => {
  test("prints the first password once and before it is ready, and stores only its hash; a running answer completes before it stops", async () => {
    const service = await startProcess({ root });
    const password = /with the password (\S+)/.exec(service.output())?.[1] ?? "";
    expect(service.output().indexOf(password)).toBeLessThan(service.output().indexOf("ready "));
    const open = createClient(service.address, "");
    const { token } = await open.post<{ token: string }>("/api/login", { username: "admin", password });
    const api = open.as(token);
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const answer = api.post<{ replies: readonly unknown[] }>(`/api/sessions/${id}/chat`, { content: "hello" });
    await api.get("/api/sessions");
    const ended = service.stop();
    expect((await answer).replies).toHaveLength(1);
    expect(await ended).toBe(0);
    expect(readFileSync(join(root, "data", "parley.db")).includes(password)).toBe(false);
    const again = await startProcess({ root });
    expect(again.output()).not.toContain("with the password");
    expect(await again.stop()).toBe(0);
  });

  test("reports plainly when its folder cannot be used", async () => {
    writeFileSync(join(root, "data"), "a file where a folder should be");
    const { code, err } = await run("--port", "0");
    expect(code).toBe(1);
    expect(err).toContain(
      `Parley cannot start:\n  - ${join(root, "data")} is a file: the data folder must be a folder`,
    );
  });
});

describe("adding a package", () => {
  /** Creates a package as it is in an author's folder. */
  const author = (name: string, code: string) => {
    const folder = join(root, name);
    mkdirSync(folder);
    const manifest = { name, version: "1.2.3", type: "module", exports: "./index.js" };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "index.js"), code);
    return `./${name}`;
  };
  const acme = `export default { id: "acme", contract: ${CONTRACT_VERSION}, register() {} };\n`;

  test("installs it in the folder of config.ini, enables it there, and does the same again", async () => {
    writeFileSync(join(root, "config.ini"), "[plugins]\n; mine\n[web]\nport = 0\n");
    const added = await run("add", author("acme-parley-adapter", acme));
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining("acme-parley-adapter 1.2.3 is installed") });
    const written = "[plugins]\n; mine\nacme = acme-parley-adapter\n[web]\nport = 0\n";
    expect(readFileSync(join(root, "config.ini"), "utf8")).toBe(written);
    expect((await run("plugins")).out).toMatch(/^acme {2}acme-parley-adapter 1\.2\.3 {2}fits$/m);
    expect(await run("add", "./acme-parley-adapter")).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, "config.ini"), "utf8")).toBe(written);
  });

  test("in a clone does not change the clone's own packages", async () => {
    writeFileSync(join(root, "pnpm-workspace.yaml"), "packages: []\n");
    const manifest = '{ "dependencies": { "@parley/core": "workspace:*" } }';
    writeFileSync(join(root, "package.json"), manifest);
    expect(await run("add", author("acme-parley-adapter", acme))).toMatchObject({ code: 0 });
    expect(readFileSync(join(root, "package.json"), "utf8")).toBe(manifest);
    expect((await run("plugins")).out).toMatch(/from .*\.parley.plugins.node_modules/);
  });

  test("is undone by the removal, which leaves stored data and prints how to restore it", async () => {
    writeFileSync(join(root, "config.ini"), "[plugins]\n; mine\n[plugin.acme]\nkey = 1\n[web]\nport = 0\n");
    await run("add", author("acme-parley-adapter", acme));
    const removed = await run("remove", "acme-parley-adapter");
    expect(removed).toMatchObject({ code: 0, out: expect.stringContaining(`stays in ${join(root, "data")}`) });
    expect(removed.out).toContain(` add ${join(root, "acme-parley-adapter")}\n`);
    const left = "[plugins]\n; mine\n; [plugin.acme]\n; key = 1\n[web]\nport = 0\n";
    expect(readFileSync(join(root, "config.ini"), "utf8")).toBe(left);
    expect(existsSync(join(root, "node_modules", "acme-parley-adapter"))).toBe(false);
    expect((await run("plugins")).out).not.toMatch(/^acme /m);
    expect(await run("remove", "acme")).toMatchObject({ code: 1, err: expect.stringContaining("is called 'acme'") });
  });

  test("is not undone for bundled packages, foreign files, and packages that another plugin needs", async () => {
    const expectRejection = async (name: string, why: RegExp) =>
      expect(await run("remove", name)).toMatchObject({ code: 1, err: expect.stringMatching(why) });
    await expectRejection("filter", /@parley\/plugin-filter comes with Parley .*'filter = off'/);
    const key = '{ kind: "service", id: "tides", token: Symbol.for("parley:tides") }';
    const tides = `provide(${key}, () => ({}))`;
    await run(
      "add",
      author(
        "tides",
        acme.replace('"acme"', '"tides"').replace("register() {}", `register({ provide }) { ${tides}; }`),
      ),
    );
    await run(
      "add",
      author("boats", acme.replace('"acme"', '"boats"').replace("register", `requires: [${key}], register`)),
    );
    await expectRejection("tides", /plugin 'tides' is needed by boats/);
    author("lies-here", acme);
    const config = readFileSync(join(root, "config.ini"), "utf8");
    writeFileSync(join(root, "config.ini"), config.replace("[plugins]\n", "[plugins]\nacme = ./lies-here\n"));
    await expectRejection("acme", /was not added by parley add/);
    expect(await run("remove", "boats")).toMatchObject({ code: 0 });
    expect(await run("remove", "tides")).toMatchObject({ code: 0 });
  });

  test("lists a library in the setting of the plugin that uses it", async () => {
    const folder = join(root, "chat-adapter");
    mkdirSync(folder);
    const manifest = { name: "@chat-adapter/acme", version: "4.0.0", type: "module", exports: "./index.js" };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "index.js"), "export const createAcmeAdapter = () => ({});\n");
    writeFileSync(join(root, "config.ini"), "[web]\nport = 0\n");
    const added = await run("add", "./chat-adapter");
    expect(added).toMatchObject({ code: 0, out: expect.stringContaining("@chat-adapter/acme 4.0.0 is installed") });
    expect(readFileSync(join(root, "config.ini"), "utf8")).toBe(
      "[web]\nport = 0\n\n[plugin.chat-sdk]\npackages = @chat-adapter/acme\n",
    );
    expect(existsSync(join(root, "node_modules", "@chat-adapter", "acme"))).toBe(true);
  });

  test("does not enable what is no plugin, cannot be installed, or would replace ours", async () => {
    expect(await run("add", author("no-plugin", "export default 1;\n"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("has no plugin as its default export"),
    });
    expect(await run("add", "./not-there")).toMatchObject({
      code: 1,
      err: expect.stringContaining("npm could not install it"),
    });
    const ours = acme.replace('"acme"', '"storage"');
    expect(await run("add", author("other-storage", ours))).toMatchObject({
      code: 1,
      err: expect.stringContaining("in place of our own 'storage'"),
    });
    expect(existsSync(join(root, "config.ini"))).toBe(false);
  });
});
