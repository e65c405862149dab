import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createClient } from "../harness/http/client.ts";
import { runParley, startProcess } from "../harness/process.ts";

const repository = dirname(dirname(import.meta.dirname));
const guide = readFileSync(join(repository, "core/writing-an-adapter.md"), "utf8");
const isBuilt = existsSync(join(repository, "tests/testing/dist/index.js"));
/** The files of the guide as a reader copies them. */
const files = [...guide.matchAll(/^```\w+ file=(\S+)\n([\s\S]*?)^```$/gm)].map(([, name = "", text = ""]) => ({
  name,
  text,
}));

describe("the guide for adapters, followed to the letter", () => {
  let root: string;
  let folder: string;

  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "parley-guide-"));
    folder = join(root, "pager-parley-adapter");
    mkdirSync(join(folder, "node_modules", "@parley"), { recursive: true });
    mkdirSync(join(root, "node_modules"));
    for (const { name, text } of files) writeFileSync(join(name === "config.ini" ? root : folder, name), text);
    // Links the packages of this repository instead of running `npm install`.
    symlinkSync(join(repository, "core"), join(folder, "node_modules/@parley/core"));
    symlinkSync(join(repository, "tests/testing"), join(folder, "node_modules/@parley/testing"));
    mkdirSync(join(folder, "node_modules", "@types"));
    symlinkSync(join(repository, "node_modules/@types/node"), join(folder, "node_modules/@types/node"));
    symlinkSync(join(repository, "node_modules/vitest"), join(folder, "node_modules/vitest"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  test("has every file it mentions", () => {
    expect(files.map(({ name }) => name)).toEqual([
      "package.json",
      "tsconfig.json",
      "index.ts",
      "adapter.ts",
      "adapter.test.ts",
      "config.ini",
    ]);
  });

  test("installs every package whose commands it uses", () => {
    const [, installed = ""] = /^npm install --save-dev (.+)$/m.exec(guide) ?? [];
    // Without `--no`, `npx` would install a third party's package of that name.
    expect(guide).toContain("npx --no parley check-package");
    expect(installed.split(" ")).toContain("@parley/server");
    // npm adds the packages to an existing package.json; the next install would remove packages that are not listed there.
    expect(guide.indexOf("npm install --save-dev")).toBeGreaterThan(guide.indexOf("file=package.json"));
  });

  // The suite comes from the built package, as its users get it.
  test.runIf(isBuilt)("ends in a suite that passes", async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", "--no-color"],
      {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: root, CI: "true" },
      },
    );
    expect(stdout).toMatch(/chapter +passed failed skipped/);
    expect(stdout).toMatch(/Tests .* passed/);
    expect(stdout).not.toMatch(/failed \|/);
  });

  test.runIf(isBuilt)("ends in a package that the service loads where it is installed, and that answers", async () => {
    const tsc = join(repository, "node_modules/typescript/bin/tsc");
    await promisify(execFile)(process.execPath, [tsc], { cwd: folder });
    const look = runParley({ root: folder, args: ["check-package", "--no-tests"] });
    if (!look.stdout) throw new Error("no stdout");
    const found = (await text(look.stdout)).split("\n").flatMap((line) => /^finding: (.*)/.exec(line)?.[1] ?? []);
    expect(found).toEqual([expect.stringContaining("no README.md"), expect.stringContaining("no LICENSE file")]);
    const installed = join(root, "node_modules/pager-parley-adapter");
    for (const part of ["package.json", "dist"]) cpSync(join(folder, part), join(installed, part), { recursive: true });
    mkdirSync(join(root, "node_modules/@parley"));
    symlinkSync(join(repository, "core"), join(root, "node_modules/@parley/core"));
    const replies: { user: string; text: string }[] = [];
    const pager = createServer(async (request, response) => {
      replies.push(JSON.parse((await request.toArray()).join("")));
      response.end();
    }).listen(0, "127.0.0.1");
    await once(pager, "listening");
    const service = await startProcess({ root, env: { SVC_ADMIN_PASSWORD: "correct horse", PAGER_WORD: "sesame" } });
    try {
      const open = createClient(service.address, "");
      const { token } = await open.post<{ token: string }>("/api/login", {
        username: "admin",
        password: "correct horse",
      });
      const api = open.as(token);
      const address = `http://127.0.0.1:${(pager.address() as AddressInfo).port}`;
      await api.post("/api/channels", { id: "pager", name: "Pager", type: "pager", config: { address } });
      const say = () =>
        open.send("POST", "/api/channels/pager/pager/webhook", {
          body: { id: "1", user: "ann", text: "hello" },
          headers: { "x-pager-word": "sesame" },
        });
      await vi.waitFor(async () => expect((await say()).status).toBe(200), { timeout: 5_000 });
      await vi.waitFor(() => expect(replies).toMatchObject([{ user: "ann" }]), { timeout: 5_000 });
    } finally {
      await service.stop();
      pager.close();
    }
  });
});
