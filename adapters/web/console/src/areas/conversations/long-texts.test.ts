import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url).pathname;
/** Maximum length of names and ids; the service rejects longer ones with a reason instead of cutting a paste. */
const SHORT = 200;

test("no field truncates pasted text", () => {
  const cuts = globSync("**/*.tsx", { cwd: root }).flatMap((file) => {
    const source = readFileSync(`${root}/${file}`, "utf8");
    const limits = [...source.matchAll(/maxLength=\{([\d_]+)\}/g)].map(([, limit = ""]) =>
      Number(limit.replace("_", "")),
    );
    const isLong = limits.some((limit) => limit > SHORT) || /<Textarea(?:(?!\/>)[\s\S])*?maxLength/.test(source);
    return isLong ? [file] : [];
  });
  expect(cuts).toEqual([]);
});
