import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSkillFolders } from "./skill-folders.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "parley-skills-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text) });

test("a folder whose replacement was interrupted is restored", async () => {
  const folders = createSkillFolders(root);
  const gone = join(root, ".incoming", "gone-tea");
  mkdirSync(gone, { recursive: true });
  writeFileSync(join(gone, "SKILL.md"), "# Tea");
  await folders.recover();
  expect((await folders.read("tea", "SKILL.md")).bytes.toString()).toBe("# Tea");
});

test("unfinished folders are removed, except those being written", async () => {
  const folders = createSkillFolders(root);
  const [old, fresh] = ["aa", "bb"].map((name) => join(root, ".incoming", name));
  for (const place of [old, fresh]) mkdirSync(place ?? "", { recursive: true });
  utimesSync(old ?? "", 0, 0);
  await folders.recover();
  await folders.put("tea", [file("SKILL.md", "# Tea")]);
  expect(await folders.listNames()).toEqual(["tea"]);
  const left = await createSkillFolders(join(root, ".incoming")).listNames();
  expect(left).toEqual(["bb"]);
});

test("a folder is replaced as a whole", async () => {
  const folders = createSkillFolders(root);
  await folders.put("tea", [file("SKILL.md", "one"), file("a/b.md", "two")]);
  await folders.put("tea", [file("SKILL.md", "three")]);
  expect((await folders.list("tea")).map(({ path }) => path)).toEqual(["SKILL.md"]);
  await expect(folders.put("tea", [file("../x", "four")])).rejects.toMatchObject({ code: "bad_request" });
  expect((await folders.read("tea", "SKILL.md")).bytes.toString()).toBe("three");
  expect(await folders.remove("tea")).toBe(1);
  await expect(folders.list("tea")).rejects.toMatchObject({ code: "not_found" });
});
