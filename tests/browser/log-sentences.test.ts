import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LOG_SENTENCES, logInChinese } from "../../adapters/web/console/src/areas/status/log-texts.ts";

const root = join(import.meta.dirname, "..", "..");
const sources = globSync("{core,host,plugins/*,adapters/*}/src/**/*.ts", {
  cwd: root,
  exclude: (name) => name.endsWith(".test.ts"),
}).map((file) => readFileSync(join(root, file), "utf8"));
/** Sentences of the log as written, with a word for each placeholder. */
const written = sources.flatMap((text) =>
  [...text.matchAll(/\blog(?:\(\))?\.(?:info|warn|error)\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`)/g)].map(
    ([, plain, template = ""]) => plain ?? template.replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "x"),
  ),
);

test("what our packages write into the log is there in Chinese too", () => {
  expect(written.length).toBeGreaterThan(100);
  expect(written.filter((sentence) => logInChinese(sentence) === undefined)).toEqual([]);
});

test("every line of the log that is there in Chinese is one that is written", () => {
  const table = Object.keys(LOG_SENTENCES);
  const text = sources.join("\n");
  const includesSentence = (sentence: string) => sentence.split(/\{\w+\}/).every((part) => text.includes(part));
  expect(table.filter((sentence) => !includesSentence(sentence))).toEqual([]);
});

test.each([
  ["a login failed", "登录失败"],
  ["tool 'tide' failed", "工具“tide”执行失败"],
  ["a line of a foreign plugin", undefined],
])("%j reads %j", (english, chinese) => {
  expect(logInChinese(english)).toBe(chinese);
});
