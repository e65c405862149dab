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

test("every log message of our packages has a Chinese translation", () => {
  expect(written.length).toBeGreaterThan(100);
  expect(written.filter((sentence) => logInChinese(sentence) === undefined)).toEqual([]);
});

test("every translated log message is in use", () => {
  const table = Object.keys(LOG_SENTENCES);
  const text = sources.join("\n");
  const includesSentence = (sentence: string) => sentence.split(/\{\w+\}/).every((part) => text.includes(part));
  expect(table.filter((sentence) => !includesSentence(sentence))).toEqual([]);
});

test.each([
  ["a login failed", "登录失败"],
  ["tool 'tide' failed", "工具“tide”执行失败"],
  ["a line of a foreign plugin", undefined],
])("the log line %j is translated as %j", (english, chinese) => {
  expect(logInChinese(english)).toBe(chinese);
});
