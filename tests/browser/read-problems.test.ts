import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { READ_PROBLEMS, readProblem } from "../../adapters/web/console/src/areas/knowledge/read-problems.ts";

const SOURCES = join(import.meta.dirname, "..", "..", "plugins", "knowledge", "src");

test("whatever the reading of a file says of it has words in Chinese, and nothing else does", () => {
  const folder = join(SOURCES, "reading");
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const said = sources.flatMap((source) =>
    [...source.matchAll(/new AppError\("bad_request",([^;]*)\)/g)].flatMap(([, rest = ""]) =>
      [...rest.matchAll(/"([^"]+)"/g)].map(([, sentence]) => sentence),
    ),
  );
  expect(said.length).toBeGreaterThan(7);
  const jobs = readFileSync(join(SOURCES, "importing.ts"), "utf8");
  const ofJobs = ["nothing could be read", "the page answered"];
  for (const sentence of ofJobs) expect(jobs).toContain(`\`${sentence}`);
  expect(Object.keys(READ_PROBLEMS).toSorted()).toEqual([...new Set([...said, ...ofJobs])].toSorted());
});

test("a problem is told in the language of who reads it, with the names in it", () => {
  const problem = "nothing could be read: torn.zip: the PDF is damaged";
  expect(readProblem(problem, "en")).toBe(problem);
  expect(readProblem(problem, "zh")).toBe("没有可读取的内容: torn.zip: PDF 已损坏");
  expect(readProblem("it cannot be read in the memory there is", "zh")).toBe("内存不足，无法读取");
});
