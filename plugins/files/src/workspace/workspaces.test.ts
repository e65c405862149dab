import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { WorkspaceArea } from "@parley/core";
import { createTestClock } from "@parley/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { toFolderName } from "./disk/names.ts";
import type { WorkspaceAction } from "./workspace-state.ts";
import { createWorkspaceStore, type WorkspaceStore } from "./workspaces.ts";

const DAY_MS = 86_400_000;
const SHARED: WorkspaceArea = { scope: "shared" };
const OWN: WorkspaceArea = { scope: "private", sessionId: "sess_1" };
const PAGE = { limit: 50, offset: 0 };

let top: string;
let root: string;
let workspaces: WorkspaceStore;
let changes: [WorkspaceAction, string][];
const clock = createTestClock();

beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), "parley-workspaces-"));
  root = join(top, "workspaces");
  changes = [];
  workspaces = createWorkspaceStore({
    root,
    clock,
    maxFileBytes: () => 1_000_000,
    files: () => ({ put: () => Promise.reject(new Error("nothing is sent here")) }),
    onChange: ({ path }, action) => changes.push([action, path]),
    limits: { bytes: 2_000, files: 20_000, folders: 5, depth: 10 },
  });
  await workspaces.start();
});
afterEach(() => rmSync(top, { recursive: true }));

const write = (area: WorkspaceArea, path: string, content = "words", options = {}) =>
  workspaces.write(area, path, Buffer.from(content), options);
const paths = async (area: WorkspaceArea, query = {}) =>
  (await workspaces.list(area, { ...PAGE, ...query })).items.map(({ path }) => path);
const read = async (area: WorkspaceArea, path: string) => text((await workspaces.open(area, path)).stream());
const withCode = (code: string) => ({ code });
/** Returns the names of all files below `top`. */
const onDisk = () =>
  readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .sort();

describe("a workspace file", () => {
  test("is written with its folders, read, listed and reported", async () => {
    const item = await write(OWN, "drafts/plan.txt");
    expect(item).toEqual({
      name: "plan.txt",
      path: "drafts/plan.txt",
      type: "file",
      size: 5,
      mime_type: "text/plain",
      modified_at: expect.stringMatching(/Z$/),
      scope: "private",
      session_id: "sess_1",
      etag: expect.stringMatching(/^"\d{1,15}"$/),
    });
    expect(await read(OWN, "drafts/plan.txt")).toBe("words");
    expect(await paths(OWN)).toEqual(["drafts"]);
    expect(await paths(OWN, { path: "drafts" })).toEqual(["drafts/plan.txt"]);
    expect(await paths(OWN, { recursive: true })).toEqual(["drafts", "drafts/plan.txt"]);
    expect(await paths(OWN, { recursive: true, q: "PLAN" })).toEqual(["drafts/plan.txt"]);
    expect(changes).toEqual([["upload", "drafts/plan.txt"]]);
  });

  test("is found by name in all folders, with its properties", async () => {
    for (let at = 0; at < 64; at += 1) {
      mkdirSync(join(root, "shared", `folder-${at}`));
      writeFileSync(join(root, "shared", `folder-${at}`, "same.txt"), "x".repeat(at));
    }
    const { items, total } = await workspaces.list(SHARED, { recursive: true, q: "same", limit: 100, offset: 0 });
    expect(total).toBe(64);
    const sizes = Object.fromEntries(items.map(({ path, size }) => [path, size]));
    expect(sizes).toEqual(Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`folder-${at}/same.txt`, at])));
  });

  test("is the same under every case and normalization of its name", async () => {
    await write(SHARED, "Caf\u00e9/Menu.txt");
    expect(await read(SHARED, "cafe\u0301/MENU.TXT")).toBe("words");
    expect((await write(SHARED, "CAFE\u0301/menu.txt")).path).toBe(
      "Caf\u00e9/menu_1.txt".replace("Caf\u00e9", "CAF\u00c9"),
    );
    expect(readdirSync(join(root, "shared"))).toEqual(["Caf\u00e9"]);
  });

  test("is renamed, replaced or rejected when its name is taken", async () => {
    const first = await write(SHARED, "a.txt", "one");
    expect((await write(SHARED, "a.txt", "two")).name).toBe("a_1.txt");
    expect((await write(SHARED, "A.txt", "three")).name).toBe("A_2.txt");
    await expect(write(SHARED, "a.txt", "x", { clash: "refuse" })).rejects.toMatchObject(withCode("conflict"));
    const second = await write(SHARED, "a.txt", "four", { clash: "replace" });
    expect(second.etag).not.toBe(first.etag);
    expect(await read(SHARED, "a.txt")).toBe("four");
    const ifMatch = Number(first.etag.replaceAll('"', ""));
    await expect(write(SHARED, "a.txt", "five", { ifMatch })).rejects.toMatchObject(withCode("conflict"));
    await write(SHARED, "a.txt", "six", { ifMatch: Number(second.etag.replaceAll('"', "")) });
    expect(await read(SHARED, "a.txt")).toBe("six");
  });

  test("of two concurrent writers is stored twice, or is the last one", async () => {
    const both = await Promise.all([write(OWN, "a.txt", "one"), write(OWN, "a.txt", "two"), write(OWN, "A.TXT", "3")]);
    expect(new Set(both.map(({ path }) => path.toLowerCase())).size).toBe(3);
    await Promise.all([1, 2, 3].map((n) => write(OWN, "b.txt", `all of ${n}`, { clash: "replace" })));
    expect(await read(OWN, "b.txt")).toMatch(/^all of [123]$/);
    expect(await paths(OWN, { q: "b" })).toEqual(["b.txt"]);
  });

  test("that is interrupted or too large leaves nothing", async () => {
    async function* broken() {
      yield Buffer.from("half");
      throw new Error("cut");
    }
    await expect(workspaces.write(OWN, "a.txt", broken())).rejects.toThrow("cut");
    await expect(write(OWN, "b.txt", "x".repeat(1_000_001))).rejects.toMatchObject(withCode("too_large"));
    expect(onDisk()).toEqual([]);
    writeFileSync(join(root, "_meta", "parts", "part_of_a_process_that_was_killed"), "half");
    await workspaces.start();
    expect(onDisk()).toEqual([]);
  });

  test("is read completely while it is moved, replaced and deleted", async () => {
    await write(OWN, "a.txt", "as it was");
    const open = await workspaces.open(OWN, "a.txt");
    await workspaces.move(OWN, "a.txt", { to: SHARED, target: "" });
    await write(SHARED, "a.txt", "new", { clash: "replace" });
    await workspaces.remove(SHARED, "a.txt");
    expect(await text(open.stream())).toBe("as it was");
  });

  test("beyond the workspace's limit is rejected", async () => {
    await write(OWN, "a.txt", "x".repeat(1_500));
    await expect(write(OWN, "b.txt", "x".repeat(600))).rejects.toMatchObject(withCode("conflict"));
    await write(SHARED, "b.txt", "x".repeat(600));
    await expect(workspaces.move(SHARED, "b.txt", { to: OWN, target: "" })).rejects.toMatchObject(withCode("conflict"));
    await workspaces.remove(OWN, "a.txt");
    await workspaces.move(SHARED, "b.txt", { to: OWN, target: "" });
    for (const name of ["1", "2", "3", "4", "5"]) await workspaces.makeFolder(OWN, name);
    await expect(workspaces.makeFolder(OWN, "6")).rejects.toMatchObject(withCode("conflict"));
    expect(onDisk().filter((name) => name === "a.txt" || name === "b.txt")).toEqual(["b.txt"]);
  });
});

const BAD_NAMES = [
  "..",
  "../x",
  "a/../../x",
  "/etc/passwd",
  "C:\\x",
  "c:x",
  "\\\\host\\share",
  "a//b",
  "a/",
  "x\u0000",
  "a\nb",
  "a\u0085b",
  ".hidden",
  "x.",
  "x ",
  " x",
  "CON",
  "lpt1.txt",
  "_meta",
  "_META/trash",
  "a".repeat(201),
  "猫".repeat(90),
  "\ud83d",
  `${"a/".repeat(10)}a`,
  "",
];

test.each(BAD_NAMES)("the name %j is rejected everywhere, and nothing changes", async (name) => {
  await write(SHARED, "kept.txt");
  writeFileSync(join(top, "x"), "outside");
  const before = onDisk();
  const move = (how: object) => workspaces.move(SHARED, "kept.txt", { to: OWN, target: "", ...how });
  for (const attempt of [
    () => write(SHARED, name),
    () => workspaces.open(SHARED, name),
    () => workspaces.find(SHARED, name),
    () => workspaces.makeFolder(SHARED, name),
    () => workspaces.remove(SHARED, name, { recursive: true }),
    () => workspaces.move(SHARED, name, { to: OWN, target: "" }),
    () => move({ newName: name }),
    ...(name === "" ? [] : [() => move({ target: name }), () => workspaces.list(SHARED, { ...PAGE, path: name })]),
  ]) {
    await expect(attempt()).rejects.toMatchObject(withCode("bad_request"));
  }
  expect(onDisk()).toEqual(before);
});

describe("a symbolic link in a workspace", () => {
  beforeEach(async () => {
    await write(SHARED, "inside.txt");
    mkdirSync(join(top, "outside"));
    writeFileSync(join(top, "outside", "secret.txt"), "secret");
    symlinkSync(join(top, "outside"), join(root, "shared", "folder"));
    symlinkSync(join(top, "outside", "secret.txt"), join(root, "shared", "file.txt"));
  });

  test.each(["file.txt", "folder", "folder/secret.txt", "FOLDER/secret.txt"])("%s is hidden", async (path) => {
    for (const attempt of [
      () => workspaces.open(SHARED, path),
      () => workspaces.remove(SHARED, path, { recursive: true }),
      () => workspaces.move(SHARED, path, { to: OWN, target: "" }),
    ]) {
      await expect(attempt()).rejects.toMatchObject(withCode("not_found"));
    }
    expect(await workspaces.find(SHARED, path)).toBeUndefined();
    expect(await paths(SHARED, { recursive: true })).toEqual(["inside.txt"]);
  });

  test("is not written through, listed into, moved into or replaced", async () => {
    await expect(write(SHARED, "folder/new.txt")).rejects.toMatchObject(withCode("conflict"));
    await expect(workspaces.makeFolder(SHARED, "folder/new")).rejects.toMatchObject(withCode("conflict"));
    await expect(workspaces.list(SHARED, { ...PAGE, path: "folder" })).rejects.toMatchObject(withCode("not_found"));
    const into = workspaces.move(SHARED, "inside.txt", { to: SHARED, target: "folder" });
    await expect(into).rejects.toMatchObject(withCode("not_found"));
    const over = workspaces.move(SHARED, "inside.txt", {
      to: SHARED,
      target: "",
      newName: "file.txt",
      overwrite: true,
    });
    await expect(over).rejects.toMatchObject(withCode("conflict"));
    expect((await write(SHARED, "file.txt", "new")).name).toBe("file_1.txt");
    expect(readdirSync(join(top, "outside"))).toEqual(["secret.txt"]);
    expect(readFileSync(join(top, "outside", "secret.txt"), "utf8")).toBe("secret");
  });

  test("is moved with its folder into the trash, and its target stays", async () => {
    mkdirSync(join(root, "shared", "mine"));
    symlinkSync(join(top, "outside"), join(root, "shared", "mine", "link"));
    await workspaces.remove(SHARED, "mine", { recursive: true });
    clock.advance(8 * DAY_MS);
    await workspaces.trash.removeExpired();
    expect(readdirSync(join(top, "outside"))).toEqual(["secret.txt"]);
  });

  test("in place of a folder during an upload is not followed", async () => {
    await write(SHARED, "there/a.txt");
    async function* swapping() {
      yield Buffer.from("words");
      renameSync(join(root, "shared", "there"), join(root, "shared", "away"));
      symlinkSync(join(top, "outside"), join(root, "shared", "there"));
    }
    await expect(workspaces.write(SHARED, "there/b.txt", swapping())).rejects.toMatchObject(withCode("conflict"));
    expect(readdirSync(join(top, "outside"))).toEqual(["secret.txt"]);
  });
});

describe("moving a file", () => {
  test("renames it, changes folders and areas, and moves the content of folders", async () => {
    await write(OWN, "a/b.txt");
    await workspaces.makeFolder(SHARED, "all");
    expect((await workspaces.move(OWN, "a/b.txt", { to: OWN, target: "", newName: "c.txt" })).path).toBe("c.txt");
    await workspaces.move(OWN, "c.txt", { to: OWN, target: "a" });
    expect(await workspaces.move(OWN, "a", { to: SHARED, target: "all" })).toMatchObject({
      path: "all/a",
      scope: "shared",
      session_id: null,
    });
    expect(await read(SHARED, "all/a/c.txt")).toBe("words");
    expect(await paths(OWN, { recursive: true })).toEqual([]);
  });

  test("to its own place succeeds, and may change the case of its name", async () => {
    await write(OWN, "a.txt");
    expect((await workspaces.move(OWN, "a.txt", { to: OWN, target: "" })).path).toBe("a.txt");
    expect((await workspaces.move(OWN, "a.txt", { to: OWN, target: "", newName: "A.txt" })).path).toBe("A.txt");
    expect(await paths(OWN)).toEqual(["A.txt"]);
  });

  test("onto another one asks to overwrite, and the other one can be restored", async () => {
    await write(OWN, "a.txt", "new");
    await write(OWN, "B.txt", "old");
    const move = (overwrite: boolean) =>
      workspaces.move(OWN, "a.txt", { to: OWN, target: "", newName: "b.txt", overwrite });
    await expect(move(false)).rejects.toMatchObject(withCode("conflict"));
    await move(true);
    expect(await read(OWN, "b.txt")).toBe("new");
    const { items } = await workspaces.trash.list(PAGE);
    expect(items).toMatchObject([{ path: "B.txt", size: 3 }]);
    const back = await workspaces.restore(items[0]?.id ?? "", async () => {});
    expect([back.path, await read(OWN, back.path)]).toEqual(["B_1.txt", "old"]);
  });

  test("is rejected for a folder into itself, a file over a folder, and a missing target", async () => {
    await write(OWN, "a/b/c.txt");
    await write(OWN, "f.txt");
    for (const target of ["a", "a/b", "A/B"]) {
      const into = workspaces.move(OWN, "a", { to: OWN, target });
      await expect(into).rejects.toMatchObject(withCode("conflict"));
    }
    const over = workspaces.move(OWN, "f.txt", { to: OWN, target: "", newName: "a", overwrite: true });
    await expect(over).rejects.toMatchObject(withCode("conflict"));
    await expect(workspaces.move(OWN, "f.txt", { to: OWN, target: "x" })).rejects.toMatchObject(withCode("not_found"));
    const slash = workspaces.move(OWN, "f.txt", { to: OWN, target: "", newName: "a/f.txt" });
    await expect(slash).rejects.toMatchObject(withCode("bad_request"));
  });
});

describe("a deleted file", () => {
  test("stays in the trash for a week", async () => {
    await write(OWN, "a/b.txt");
    await expect(workspaces.remove(OWN, "a")).rejects.toMatchObject(withCode("conflict"));
    expect(await workspaces.remove(OWN, "a", { recursive: true })).toBe(2);
    const [item] = (await workspaces.trash.list(PAGE)).items;
    expect(item).toMatchObject({ path: "a", type: "directory", size: 5, scope: "private", session_id: "sess_1" });
    clock.advance(6 * DAY_MS);
    expect(await workspaces.trash.removeExpired()).toBe(0);
    clock.advance(2 * DAY_MS);
    expect(await workspaces.trash.removeExpired()).toBe(1);
    expect(onDisk()).toEqual([]);
    expect(changes.at(-1)).toEqual(["delete", "a"]);
  });

  test("is restored with its parent folders", async () => {
    await write(OWN, "a/b.txt");
    await workspaces.remove(OWN, "a/b.txt");
    await workspaces.remove(OWN, "a");
    const { items } = await workspaces.trash.list(PAGE);
    const id = items.find(({ name }) => name === "b.txt")?.id ?? "";
    expect((await workspaces.restore(id, async () => {})).path).toBe("a/b.txt");
    await expect(workspaces.restore(id, async () => {})).rejects.toMatchObject(withCode("not_found"));
  });

  test.each(["..", "../shared", "trash_x", "trash_00000000000000000000-1"])("is not %s", async (id) => {
    await write(SHARED, "kept.txt");
    await expect(workspaces.trash.purge(id)).rejects.toMatchObject(withCode("not_found"));
    await expect(workspaces.restore(id, async () => {})).rejects.toMatchObject(withCode("not_found"));
    expect(await read(SHARED, "kept.txt")).toBe("words");
  });
});

test("no two sessions share a folder, and no session's name is a path", () => {
  const ids = ["sess_1", "SESS_1", "imB:1", "imB:2", "../shared", "_meta", ".", "a".repeat(300), "a".repeat(301)];
  const names = ids.map(toFolderName);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9_-]{1,100}$/);
});

test("deleting a session's workspace leaves the others", async () => {
  await write(OWN, "a.txt");
  await write({ scope: "private", sessionId: "sess_2" }, "b.txt");
  await workspaces.removeSession("sess_1");
  expect(await paths(OWN)).toEqual([]);
  expect(await workspaces.sessionFolders()).toEqual(["sess_2"]);
});

test("10,000 files in a folder are listed and searched in pages", async () => {
  const folder = join(root, "shared", "many");
  mkdirSync(folder);
  for (let at = 0; at < 10_000; at += 1) writeFileSync(join(folder, `file-${String(at).padStart(5, "0")}.txt`), "x");
  const page = await workspaces.list(SHARED, { path: "many", limit: 3, offset: 9_998 });
  expect(page).toMatchObject({ total: 10_000, limit: 3, offset: 9_998 });
  expect(page.items.map(({ name }) => name)).toEqual(["file-09998.txt", "file-09999.txt"]);
  const found = await workspaces.list(SHARED, { recursive: true, q: "FILE-012", limit: 500, offset: 90 });
  expect([found.total, found.items.length, found.items[0]?.path]).toEqual([100, 10, "many/file-01290.txt"]);
});

test("files with unusable names are not listed, and devices are no files", async () => {
  await write(SHARED, "a.txt");
  for (const name of [".hidden", "back\\slash", "dot."]) writeFileSync(join(root, "shared", name), "x");
  expect(await paths(SHARED)).toEqual(["a.txt"]);
  expect(existsSync(join(root, "shared", ".hidden"))).toBe(true);
});
