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
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBrowse, openBrowser, takeScreenshot } from "../harness/browser.ts";
import { eventually } from "../harness/eventually.ts";
import { type Client, createClient } from "../harness/http/client.ts";
import { packExample } from "../harness/packed-example.ts";
import { type ParleyProcess, startProcess } from "../harness/process.ts";

const repository = join(import.meta.dirname, "..", "..");
const TODO = "example-parley-plugin-todo";
const WATCH = "example-parley-plugin-watch";
const credentials = { username: "admin", password: "correct horse" };

interface Todo {
  readonly id: string;
  readonly name: string;
  readonly done: boolean;
}

interface Job {
  readonly status: string;
  readonly logs: readonly { readonly text: string }[];
}

/** Unpacks packed examples into an operator's folder. */
function install(root: string): void {
  for (const name of [TODO, WATCH]) {
    const tarball = packExample(name.replace("example-parley-", ""), join(root, "work"));
    const target = join(root, "node_modules", name);
    mkdirSync(target, { recursive: true });
    execFileSync("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  }
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

describe("examples that are built, packed and installed elsewhere", () => {
  let root: string;
  let service: ParleyProcess;
  let api: Client;
  let profile: BrowserContext | undefined;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "parley-example-"));
    install(root);
    writeFileSync(
      join(root, "config.ini"),
      `[plugins]\ntodo = ${TODO}\nwatch = ${WATCH}\n[log]\nlevel = warn\nfile = off\n`,
    );
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

  test.each([
    ["plugin-todo", 80],
    ["plugin-watch", 60],
  ])("%s is at most %i lines", (name, most) => {
    const text = readFileSync(join(repository, "examples", name, "src", "index.ts"), "utf8");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(most);
  });

  test("a watched page keeps its token encrypted, is checked by a job with it, and its state is found by a tool", async () => {
    const token = "Bearer sk-watch-0123456789abcdef";
    const requests: (string | undefined)[] = [];
    const site = createServer(({ headers: { authorization } }, response) => {
      requests.push(authorization);
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    try {
      const { port } = site.address() as AddressInfo;
      const page = { name: "shop", url: `http://127.0.0.1:${port}/`, headers: { Authorization: token } };
      const { id } = await api.post<{ id: string }>("/api/watched-pages", page);
      const { job_id } = await api.post<{ job_id: string }>("/api/schedules/watch.check/run", {});
      const log = await eventually(async () => {
        const { status, logs } = await api.get<Job>(`/api/jobs/${job_id}`);
        expect(status).toBe("done");
        return logs.map(({ text }) => text);
      });
      expect(log).toContain("shop is down");
      expect(requests).toEqual([token]);
      const found = await api.get<{ is_up: boolean; headers: object }>(`/api/watched-pages/${id}`);
      expect(found.is_up).toBe(false);
      expect(JSON.stringify(found)).not.toContain("sk-watch");
    } finally {
      site.close();
    }
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

  test("offer their tools to models", async () => {
    const { tools } = await api.get<{ tools: readonly { name: string }[] }>("/api/mcp-service");
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["open_todos", "watched_pages"]));
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
    await page.getByRole("link", { name: "Watched pages" }).click();
    await page.getByTestId("record-row").filter({ hasText: "shop" }).waitFor();
    await takeScreenshot(page, "example-watched-pages");
    await page.goto(`${service.address}/#/settings`);
    await page.getByLabel("Word that begins a to-do").waitFor();
  });
});
