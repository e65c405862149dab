import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import Joi from "@hapi/joi";
import { checkConfiguration } from "@parley/cli";
import {
  type AreaView,
  addDocuments,
  addRecords,
  ConsoleAreas,
  ConsolePages,
  type DefinedPlugin,
  definePlugin,
  displayName,
  extensionPoint,
  HostControl,
  RouteTables,
  resource,
  route,
  serviceKey,
  withLabel,
} from "@parley/core";
import { answerFields } from "@parley/core/http";
import { type Host, type HostOptions, startHost } from "@parley/host";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClient } from "../harness/http/client.ts";

const repository = dirname(dirname(import.meta.dirname));
let root: string;
let running: Host | undefined;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-host-"));
  configure("");
});

afterEach(async () => {
  await running?.[Symbol.asyncDispose]();
  running = undefined;
  rmSync(root, { recursive: true, force: true });
});

function configure(ini: string): void {
  writeFileSync(join(root, "config.ini"), `[log]\nlevel = error\nfile = off\n${ini}`);
}

const options = (plugins: readonly DefinedPlugin[] = [], more: HostOptions = {}): HostOptions => ({
  root,
  env: {},
  flags: { port: 0 },
  packages: [],
  plugins,
  ...more,
});
async function start(plugins: readonly DefinedPlugin[] = [], more: HostOptions = {}): Promise<Host> {
  running = await startHost(options(plugins, more));
  return running;
}
const listProblems = (work: Promise<unknown>): Promise<readonly string[]> =>
  work.then(
    () => [],
    (error) => error.problems,
  );
const findStatus = (host: Host, id: string) => host.control.plugins().find((one) => one.id === id);

/** Creates a package in the operator's folder, as npm would install it. */
function install(name: string, code: string, core?: string): void {
  const folder = join(root, "node_modules", name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name, version: "2.3.4", type: "module", exports: "./index.js" }),
  );
  writeFileSync(join(folder, "index.js"), code);
  if (!core) return;
  const copy = join(folder, "node_modules", "@parley", "core");
  mkdirSync(copy, { recursive: true });
  writeFileSync(join(copy, "package.json"), JSON.stringify({ name: "@parley/core", version: core, type: "module" }));
}
const formatPlugin = (id: string, body = "register() {}") => `export default { id: "${id}", contract: 1, ${body} };`;

const Numbers = serviceKey<{ next(): number }>("numbers");
const defineFirst = (id: string, more: Partial<DefinedPlugin> = {}) => definePlugin({ id, register() {}, ...more });
/** Defines a plugin like a bundled one, whose failure stops the start. */
const defineBundled = (id: string, more: Partial<DefinedPlugin> = {}) => ({
  plugin: defineFirst(id, more),
  line: `${id} = @parley/${id}`,
});

describe("a third-party plugin", () => {
  test("is loaded from the operator's folder and shown with its version and location", async () => {
    install("acme-adapter", formatPlugin("acme"));
    configure("[plugins]\nacme = acme-adapter\n");
    const host = await start([], { packages: ["acme"] });
    expect(findStatus(host, "acme")).toMatchObject({
      state: "running",
      version: "2.3.4",
      path: join(root, "node_modules", "acme-adapter"),
    });
  });

  test.each([
    ["throws when it registers", `register() { throw new Error("no luck"); }`, "no luck"],
    ["throws when it starts", `register() {}, async start() { throw new Error("no network"); }`, "no network"],
  ])("that %s is skipped, and everything else runs", async (_what, body, reason) => {
    install("acme-adapter", formatPlugin("acme", body));
    configure("[plugins]\nacme = acme-adapter\n");
    const host = await start([defineFirst("other")], { packages: ["acme"] });
    expect(findStatus(host, "acme")).toMatchObject({ state: "failed", failure: expect.stringContaining(reason) });
    expect(findStatus(host, "other")).toMatchObject({ state: "running" });
    expect(host.control.phase()).toBe("degraded");
  });

  test("that declares a kind of records or documents which another has is skipped, and both are named", async () => {
    const ships = resource<{ readonly name: string }>({
      kind: "ship",
      path: "/api/ships",
      param: "ship_id",
      idPrefix: "ship",
      title: { one: { en: "ship", zh: "船" }, many: { en: "ships", zh: "船" } },
      about: { en: "What sails.", zh: "航行的船只。" },
      fields: { name: withLabel(displayName(20).required(), { title: { en: "Name", zh: "名称" } }) },
    });
    const host = await start([
      ...["navy", "shipyard"].map((id) => defineFirst(id, { register: (context) => addRecords(context, ships) })),
      ...["harbour", "pier"].map((id) =>
        defineFirst(id, { register: (context) => addDocuments(context, { name: "berths" }) }),
      ),
    ]);
    expect(["navy", "shipyard", "harbour", "pier"].map((id) => [id, findStatus(host, id)?.failure])).toEqual([
      ["navy", null],
      ["shipyard", "adds the kind of records ship, which 'navy' adds already"],
      ["harbour", null],
      ["pier", "adds the kind of documents berths, which 'harbour' adds already"],
    ]);
  });

  test("whose start never ends is aborted, and its resources are released", async () => {
    let released = 0;
    const hanging = defineFirst("hanging", {
      start: ({ defer }) => {
        defer(() => {
          released += 1;
        });
        return new Promise(() => {});
      },
    });
    const host = await start([hanging], { startWithinMs: 20 });
    expect(findStatus(host, "hanging")?.failure).toContain("did not end within");
    expect(released).toBe(1);
  });

  test("that never ends does not prevent the release of the others' resources", async () => {
    const released: string[] = [];
    const fine = defineFirst("fine", { start: async ({ defer }) => defer(() => void released.push("fine")) });
    const stuck = defineFirst("stuck", { start: async ({ defer }) => defer(() => new Promise(() => {})) });
    await start([fine, stuck], { releaseWithinMs: 20 });
    await running?.[Symbol.asyncDispose]();
    running = undefined;
    expect(released).toEqual(["fine"]);
  });

  test("built for another contract is rejected, and both are named", async () => {
    install("acme-adapter", formatPlugin("acme").replace("contract: 1", "contract: 7"));
    configure("[plugins]\nacme = acme-adapter\n");
    const host = await start([], { packages: ["acme"] });
    expect(findStatus(host, "acme")?.failure).toContain("built for contract 7, this host has contract 1");
  });

  test("with its own copy of the contract is reported with both locations", async () => {
    install("acme-adapter", formatPlugin("acme"), "1.9.9");
    configure("[plugins]\nacme = acme-adapter\n");
    const { warnings } = await checkConfiguration(options([], { packages: ["acme"] }));
    expect(warnings.join()).toContain(join("acme-adapter", "node_modules", "@parley", "core"));
    expect(warnings.join()).toContain(join(repository, "core"));
  });

  test("whose import never ends is aborted, and the others are loaded", async () => {
    install("acme-adapter", `await new Promise(() => {});\n${formatPlugin("acme")}`);
    install("fine-adapter", formatPlugin("fine"));
    configure("[plugins]\nacme = acme-adapter\nfine = fine-adapter\n");
    const host = await start([], { packages: ["acme", "fine"], importWithinMs: 300 });
    expect(findStatus(host, "acme")?.failure).toContain("its import did not end within 0.3 s");
    expect(findStatus(host, "fine")?.state).toBe("running");
  });

  test.each([
    ["compiled to CommonJS", { main: "./index.js" }, "exports.default = "],
    ["with nothing but require in its exports", { exports: { ".": { require: "./index.js" } } }, "module.exports = "],
  ])("%s is loaded", async (_what, manifest, code) => {
    install("acme-adapter", formatPlugin("acme").replace("export default ", code));
    const file = join(root, "node_modules", "acme-adapter", "package.json");
    writeFileSync(file, JSON.stringify({ name: "acme-adapter", version: "2.3.4", ...manifest }));
    configure("[plugins]\nacme = acme-adapter\n");
    const host = await start([], { packages: ["acme"] });
    expect(findStatus(host, "acme")).toMatchObject({ state: "running", failure: null });
  });

  test("with an invalid contribution is skipped, including its routes", async () => {
    const broken = defineFirst("broken", {
      register: ({ contribute }) =>
        contribute(RouteTables, () => {
          throw new Error("not today");
        }),
    });
    const host = await start([broken]);
    expect(findStatus(host, "broken")?.failure).toContain("not today");
    expect(host.all(RouteTables)).toEqual([]);
  });
});

describe("an area of the console", () => {
  const area = (id: string, view: AreaView) =>
    defineFirst(id, {
      register: ({ contribute }) =>
        contribute(ConsoleAreas, () => ({
          id,
          group: "bot",
          title: { en: id, zh: id },
          icon: "dice",
          view,
        })),
    });
  const pages = defineFirst("pages", {
    register: ({ contribute }) => contribute(ConsolePages, () => ({ names: ["models"] })),
  });

  test("with an unknown resource or page is reported at the start with its plugin and field", async () => {
    const [lost, nowhere] = [
      area("lost", { kind: "resource", resource: "unicorn" }),
      area("nowhere", { kind: "page", page: "moon" }),
    ];
    const host = await start([lost, nowhere, area("right", { kind: "page", page: "models" }), pages]);
    expect(findStatus(host, "lost")?.failure).toContain("view.resource: there is no resource 'unicorn'");
    expect(findStatus(host, "nowhere")?.failure).toContain("view.page: there is no console page 'moon'");
    expect(host.all(ConsoleAreas).map(({ id }) => id)).toEqual(["right"]);
    const { problems } = await checkConfiguration(options([lost, pages]));
    expect(problems.join()).toContain("plugin 'lost': what it adds to console-areas cannot be used: view.resource");
  });

  test("of ours with an unknown page stops the start", async () => {
    const { plugin, line } = defineBundled("models", area("models", { kind: "resource", resource: "unicorn" }));
    configure(`[plugins]\n${line}\n`);
    expect(await listProblems(start([plugin]))).toEqual([expect.stringContaining("there is no resource 'unicorn'")]);
  });

  test("may name any page where there is no console", async () => {
    const host = await start([area("quiet", { kind: "page", page: "models" })]);
    expect(findStatus(host, "quiet")?.state).toBe("running");
  });
});

describe("a check, which starts nothing,", () => {
  test("reports a plugin with an invalid contribution, and creates nothing that must be started", async () => {
    const made: string[] = [];
    const provider = defineBundled("provider", {
      register: ({ provide }) =>
        provide(Numbers, () => {
          made.push("numbers");
          return { next: () => 1 };
        }),
    });
    const row = { method: "GET", path: "/acme", summary: "x", data: answerFields.count, run: () => 1 } as const;
    const rowsFrom = (id: string, rows: unknown) =>
      defineFirst(id, {
        requires: [Numbers],
        register: ({ contribute }) =>
          contribute(RouteTables, (from) => {
            from.get(Numbers);
            return rows as never;
          }),
      });
    const asking = defineFirst("asking", {
      register: ({ contribute }) => contribute(RouteTables, (from) => [from.get(Numbers).next() as never]),
    });
    configure(`[plugins]\n${provider.line}\n`);
    const given = [provider.plugin, rowsFrom("wrong", [{ ...row, path: "x" }]), rowsFrom("right", [row]), asking];
    const { problems } = await checkConfiguration(options([...given, rowsFrom("again", [row])]));
    expect(problems).toEqual([
      expect.stringMatching(/^plugin 'wrong': what it adds to route-tables cannot be used: '\[0\].path' is no path/),
      "plugin 'again': adds the row GET /acme, which 'right' adds already",
    ]);
    expect(made).toEqual([]);
  });

  test("reports once for each plugin the deprecated calls, and their replacement", async () => {
    const Letters = serviceKey<object>("letters", { deprecated: "use Words" });
    const Greetings = extensionPoint<string>("greetings", { deprecated: "contribute to ChatCommands" });
    const old = defineFirst("old", {
      requires: [Letters],
      register: ({ provide, contribute }) => {
        provide(Letters, () => ({}));
        for (const greeting of ["hi", "hello"]) contribute(Greetings, () => greeting);
      },
    });
    const { warnings } = await checkConfiguration(options([old, defineFirst("new")]));
    expect(warnings).toEqual([
      "plugin 'old' uses 'letters', which the next contract has no more: use Words",
      "plugin 'old' uses 'greetings', which the next contract has no more: contribute to ChatCommands",
    ]);
  });

  test("reports unknown sections", async () => {
    configure("[plugins]\nplain = @parley/plain\n[plugin.filtre]\nfile = x\n[plugin.plain]\nsize = 3\n");
    const { problems } = await checkConfiguration(options([defineFirst("plain")]));
    expect(problems).toEqual([
      "config.ini, [plugin.filtre]: there is no plugin 'filtre'; did you mean 'filter'?",
      "[plugin.plain] size: the plugin has no settings",
    ]);
  });
});

describe("background work", () => {
  test("starts after all plugins have started, and ends before any of them stops", async () => {
    const events: string[] = [];
    const tells = (id: string, step: string, context: { defer(release: () => void): void }) => {
      events.push(`${id} ${step}`);
      context.defer(() => void events.push(`${id} ${step} ends`));
    };
    const worker = (id: string) =>
      defineFirst(id, {
        start: async (context) => tells(id, "start", context),
        ready: async (context) => tells(id, "ready", context),
      });
    const host = await start([worker("one"), worker("two")]);
    await host[Symbol.asyncDispose]();
    running = undefined;
    expect(events).toEqual([
      ...["one start", "two start", "one ready", "two ready"],
      ...["two ready ends", "one ready ends", "two start ends", "one start ends"],
    ]);
  });

  test("removes its plugin when it cannot start", async () => {
    const events: string[] = [];
    const broken = defineFirst("broken", {
      start: async ({ defer }) => defer(() => void events.push("released")),
      ready: async () => {
        throw new Error("no clock");
      },
    });
    const host = await start([broken, defineFirst("fine")]);
    expect(findStatus(host, "broken")).toMatchObject({ state: "failed", failure: "ready failed: no clock" });
    expect(findStatus(host, "fine")).toMatchObject({ state: "running" });
    await expect.poll(() => events).toEqual(["released"]);
  });
});

describe("a failing start", () => {
  test("names a broken package with the name of one of ours", async () => {
    install("my-storage", "export default 5;");
    const lonely = defineBundled("lonely", { requires: [Numbers] });
    configure(`[plugins]\n${lonely.line}\nstorage = my-storage\n`);
    expect((await listProblems(start([lonely.plugin], { packages: ["storage"] }))).join("\n")).toContain(
      "plugin 'storage' (my-storage): package 'my-storage' has no plugin as its default export",
    );
  });

  test("names a package that took the name of one of ours without its function", async () => {
    install("my-numbers", formatPlugin("sticker"));
    const lonely = defineBundled("lonely", { requires: [Numbers] });
    configure(`[plugins]\n${lonely.line}\nsticker = my-numbers\n`);
    expect(await listProblems(start([lonely.plugin], { packages: ["sticker"] }))).toEqual([
      "plugin 'lonely': needs 'numbers', which no enabled plugin provides. 'sticker' is my-numbers in config.ini, in place of @parley/plugin-sticker: a package of your own needs another name there",
    ]);
  });

  test("lists all problems at once and opens nothing", async () => {
    const wrong = defineBundled("wrong", { config: Joi.object({ size: Joi.number().max(3) }) });
    const lonely = defineBundled("lonely", { requires: [Numbers] });
    configure(`[plugins]\n${wrong.line}\n${lonely.line}\nabsent = no-such-package\n[plugin.wrong]\nsize = 9\n`);
    const problems = await listProblems(start([wrong.plugin, lonely.plugin], { packages: ["absent"] }));
    expect(problems).toEqual([
      expect.stringMatching(/^plugin 'wrong': \[plugin.wrong\] 'size' must be less than or equal to 3/),
      expect.stringMatching(/^plugin 'lonely': needs 'numbers', which no enabled plugin provides/),
    ]);
    const { problems: all } = await checkConfiguration(
      options([wrong.plugin, lonely.plugin], { packages: ["absent"] }),
    );
    expect(all.join()).toContain("package 'no-such-package' is not installed");
  });

  test("names the first-party plugin that fails, and not those that depend on it", async () => {
    const broken = defineBundled("broken", {
      register: ({ provide }) => provide(Numbers, () => ({ next: () => 1 })),
      start: async () => {
        throw new Error("no disk");
      },
    });
    const user = defineBundled("user", { requires: [Numbers] });
    configure(`[plugins]\n${broken.line}\n${user.line}\n`);
    expect(await listProblems(start([user.plugin, broken.plugin]))).toEqual(["plugin 'broken': start failed: no disk"]);
  });

  test("reports two plugins with the same service or id", async () => {
    const one = defineBundled("one", { register: ({ provide }) => provide(Numbers, () => ({ next: () => 1 })) });
    const two = defineBundled("two", { register: ({ provide }) => provide(Numbers, () => ({ next: () => 2 })) });
    configure(`[plugins]\n${one.line}\n${two.line}\nsame = @parley/same\n`);
    const same = defineFirst("same");
    const problems = await listProblems(start([one.plugin, two.plugin, same, same]));
    expect(problems.join("\n")).toContain("provides 'numbers', which 'one' provides already");
    expect(problems.join("\n")).toContain("id 'same' is taken by '@parley/same'");
  });

  test("reports circular dependencies", async () => {
    const Letters = serviceKey<object>("letters");
    const a = defineFirst("a", {
      requires: [Letters],
      register: ({ provide }) => provide(Numbers, () => ({ next: () => 1 })),
    });
    const b = defineFirst("b", { requires: [Numbers], register: ({ provide }) => provide(Letters, () => ({})) });
    expect((await listProblems(start([a, b]))).join()).toContain("in a circle: a → b → a");
  });

  test("names a requested config.ini that does not exist", async () => {
    expect(await listProblems(start([], { flags: { port: 0, config: join(root, "none.ini") } }))).toEqual([
      expect.stringContaining("does not exist"),
    ]);
  });

  test("names a port in use", async () => {
    const { address } = await start();
    const port = Number(new URL(address).port);
    const problems = await listProblems(startHost(options([], { flags: { port } })));
    expect(problems.join()).toContain(`port ${port} on 127.0.0.1 is in use`);
  });
});

describe("the order of plugins and configuration", () => {
  test("providers start before those that need them, and stop after", async () => {
    const warnings: string[] = [];
    const noting = (id: string) => ({
      start: async ({ defer }: { defer(release: () => void): void }) => {
        warnings.push(`+${id}`);
        defer(() => void warnings.push(`-${id}`));
      },
    });
    const user = defineFirst("user", { requires: [Numbers], ...noting("user") });
    const provider = defineFirst("provider", {
      register: ({ provide }) => provide(Numbers, () => ({ next: () => 1 })),
      ...noting("provider"),
    });
    const host = await start([user, provider]);
    running = undefined;
    await host[Symbol.asyncDispose]();
    expect(warnings).toEqual(["+provider", "+user", "-user", "-provider"]);
  });

  test("flags take precedence over the environment, config.ini and defaults", async () => {
    configure("[web]\nhost = 127.0.0.2\n");
    const addressWith = async (more: HostOptions) => {
      const host = await startHost(options([], more));
      await host[Symbol.asyncDispose]();
      return new URL(host.address).hostname;
    };
    expect(await addressWith({})).toBe("127.0.0.2");
    expect(await addressWith({ env: { SVC_HOST: "127.0.0.3" } })).toBe("127.0.0.3");
    expect(await addressWith({ env: { SVC_HOST: "127.0.0.3" }, flags: { port: 0, host: "127.0.0.4" } })).toBe(
      "127.0.0.4",
    );
  });
});

describe("a reload", () => {
  let generation = 0;
  const counting = defineFirst("counting", {
    config: Joi.object({ fails: Joi.boolean().default(false), size: Joi.number().default(1).max(5) }),
    register: ({ contribute }) =>
      contribute(RouteTables, () => [
        route({
          method: "GET",
          path: "/generation",
          summary: "which",
          data: answerFields.count,
          auth: "open",
          run: () => generation,
        }),
      ]),
    async start({ config }) {
      generation += 1;
      if ((config as { fails: boolean }).fails) throw new Error("this one does not start");
    },
  });
  const generationOf = (host: Host) => createClient(host.address, "").get<number>("/generation");

  test("serves the new plugins at the same address", async () => {
    const host = await start([counting]);
    const before = await generationOf(host);
    expect(await host.control.reload()).toMatchObject({ reloaded: ["counting"], failed: [] });
    expect(await generationOf(host)).toBe(before + 1);
  });

  test("with an invalid plugin leaves the running plugins unchanged", async () => {
    configure("[plugins]\ncounting = @parley/counting\n");
    const host = await start([counting]);
    const before = await generationOf(host);
    configure("[plugins]\ncounting = @parley/counting\n[plugin.counting]\nsize = 9\n");
    const { reloaded, failed } = await host.control.reload();
    expect(reloaded).toEqual([]);
    expect(failed).toMatchObject([
      {
        name: "counting",
        error: expect.stringContaining("less than or equal to 5"),
        detail: {
          key: "host.of_plugin",
          texts: { reason: expect.objectContaining({ zh: "[plugin.counting] 设置有误：size：不能大于 5" }) },
        },
      },
    ]);
    expect(await generationOf(host)).toBe(before);
  });

  test("whose plugins do not start restores the old ones", async () => {
    configure("[plugins]\ncounting = @parley/counting\n");
    const host = await start([counting]);
    configure("[plugins]\ncounting = @parley/counting\n[plugin.counting]\nfails = true\n");
    const { failed } = await host.control.reload();
    expect(failed[0]?.error).toContain("this one does not start");
    expect(findStatus(host, "counting")).toMatchObject({ state: "running", config: { fails: false } });
    expect(await generationOf(host)).toBeGreaterThan(0);
  });

  test("runs one at a time", async () => {
    const host = await start([counting]);
    const one = host.control.reload();
    await expect(host.control.reload()).rejects.toMatchObject({ code: "conflict" });
    await one;
  });

  test("of an unknown plugin is reported", async () => {
    const host = await start([counting]);
    await expect(host.control.reload(["nobody"])).rejects.toMatchObject({ code: "not_found" });
  });

  test("of the configuration names changes, and those that need a restart", async () => {
    const host = await start([counting]);
    expect(await host.control.reloadConfig()).toMatchObject({ changed: [], restart_required: [] });
    configure("[web]\npublic_base_url = https://chat.example.org\n");
    expect(await host.control.reloadConfig()).toMatchObject({
      changed: ["web.public_base_url"],
      restart_required: ["web.public_base_url"],
    });
  });
});

test("after the stop no timer, socket or listener is left", async () => {
  const kinds = () => process.getActiveResourcesInfo().filter((kind) => /Timeout|TCP/.test(kind)).length;
  const before = kinds();
  const host = await startHost(
    options([defineFirst("quiet", { start: async ({ get }) => void get(HostControl).server })]),
  );
  await createClient(host.address, "").send("GET", "/nothing");
  await host[Symbol.asyncDispose]();
  await expect.poll(kinds).toBeLessThanOrEqual(before);
});
