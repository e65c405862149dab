import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, openBrowser, takeScreenshot } from "../harness/browser.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { packExample } from "../harness/packed-example.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const repository = join(import.meta.dirname, "..", "..");
const example = join(repository, "examples", "plugin-todo");
const NAME = "example-parley-plugin-todo";
const credentials = { username: "admin", password: "correct horse" };

interface Todo {
  readonly id: string;
  readonly name: string;
  readonly done: boolean;
}

/** Unpacks the packed example into an operator's folder. */
function install(root: string): void {
  const tarball = packExample("plugin-todo", join(root, "work"));
  const target = join(root, "node_modules", NAME);
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  // Uses the contract of this repository instead of the registry's.
  mkdirSync(join(root, "node_modules", "@parley"));
  symlinkSync(join(repository, "core"), join(root, "node_modules", "@parley", "core"));
}

test.each(readdirSync(join(repository, "examples")))(
  "%s that `npm pack` packs can be installed and loaded",
  async (name) => {
    const root = mkdtempSync(join(tmpdir(), "parley-packed-"));
    try {
      execFileSync("tar", ["-xzf", packExample(name, root), "-C", root, "--strip-components=1"]);
      const { dependencies, peerDependencies, exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
      // Workspace and catalog ranges only work inside this repository.
      const ranges = Object.values({ ...dependencies, ...peerDependencies });
      expect(ranges.filter((range) => /^(workspace|catalog|file|link):/.test(String(range)))).toEqual([]);
      expect(existsSync(join(root, exports))).toBe(true);
      // Its dependencies are installed next to the example.
      const { default: plugin } = await import(join(repository, "examples", name, exports));
      expect(plugin).toMatchObject({ id: name.replace(/^\w+-/, ""), register: expect.any(Function) });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);

describe("an example that is built, packed and installed elsewhere", () => {
  let root: string;
  let service: ParleyProcess;
  let api: Client;
  let profile: BrowserContext | undefined;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "parley-example-"));
    install(root);
    writeFileSync(join(root, "config.ini"), `[plugins]\ntodo = ${NAME}\n[log]\nlevel = warn\nfile = off\n`);
    service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: credentials.password } });
    const open = createClient(service.address, "");
    api = open.as((await open.post<{ token: string }>("/api/login", credentials)).token);
  }, 60_000);
  afterAll(async () => {
    await profile?.close();
    await service?.stop();
    rmSync(root, { recursive: true, force: true });
  });

  const todos = () => api.get<{ readonly items: readonly Todo[] }>("/api/todos");

  test("is at most 80 lines", () => {
    expect(
      readFileSync(join(example, "src", "index.ts"), "utf8")
        .trimEnd()
        .split("\n").length,
    ).toBeLessThanOrEqual(80);
  });

  test("stores a note that a message requests together with its answer, under the configured word", async () => {
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const say = (content: string) => api.post(`/api/sessions/${id}/chat`, { content });
    await say("todo: buy milk");
    await say("nothing to note");
    expect((await todos()).items).toMatchObject([{ name: "buy milk", done: false }]);
    await api.put("/api/settings", { todo: { word: "remember" } });
    await say("Remember the bread");
    expect((await todos()).items.map(({ name }) => name)).toContain("the bread");
  });

  test("offers its tool to models", async () => {
    const { tools } = await api.get<{ tools: readonly { name: string }[] }>("/api/mcp-service");
    expect(tools.map(({ name }) => name)).toContain("open_todos");
  });

  test.runIf(canBrowse)("has a page in the console, where a record added by a chat appears by itself", async () => {
    profile = await (await openBrowser()).newContext({ locale: "en-US" });
    const page = await profile.newPage();
    await page.context().request.post(`${service.address}/api/login`, { data: credentials });
    await page.goto(`${service.address}/#/`);
    await page.getByRole("link", { name: "To-dos" }).click();
    await page.getByTestId("record-row").filter({ hasText: "buy milk" }).getByRole("switch").press("Space");
    await page.getByTestId("toast").getByText("Saved: buy milk").waitFor();
    expect((await todos()).items.find(({ name }) => name === "buy milk")?.done).toBe(true);
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    await api.post(`/api/sessions/${id}/chat`, { content: "remember to water the plants" });
    await page.getByTestId("record-row").filter({ hasText: "to water the plants" }).waitFor();
    await takeScreenshot(page, "example-todos");
    await page.goto(`${service.address}/#/settings`);
    await page.getByLabel("Word that begins a to-do").waitFor();
  });
});
