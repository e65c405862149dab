import { expect, test } from "vitest";
import { attachmentNamed } from "./content-disposition.ts";

const fileOf = (name: string) => /filename="([^"]*)"/.exec(attachmentNamed(name))?.[1];

test.each([
  ["a short name", "book.json", "book.json"],
  ["a long name", `${"n".repeat(150)}.json`, `${"n".repeat(95)}.json`],
  ["only dots", "....json", "_.json"],
  ["nothing before the extension", ".json", "file.json"],
  ["nothing at all", "", "file"],
  ["a folder", "../../etc/passwd.txt", "__.._etc_passwd.txt"],
  ["a hidden file", "..hidden", "_.hidden"],
])("a download with %s has a file name that can be opened", (_what, name, file) => {
  expect(fileOf(name)).toBe(file);
});
