import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tortureCommand } from "./torture-command.ts";

describe("parley-torture", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "parley-torture-"));
    writeFileSync(join(folder, "wrong.mjs"), "export default { type: 'x' };");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const runCommand = async (...args: readonly string[]) => {
    const lines: string[] = [];
    const code = await tortureCommand({ args, print: (line) => lines.push(line) });
    return { code, text: lines.join("\n") };
  };

  it.each([[[]], [["a.ts", "b.ts"]], [["a.ts", "--seeds", "none"]], [["a.ts", "--kills", "0"]], [["--odd", "a.ts"]]])(
    "prints its usage for %j",
    async (args) => {
      expect(await runCommand(...args)).toMatchObject({
        code: 1,
        text: expect.stringContaining("parley-torture <file>"),
      });
    },
  );

  it("reports what the file lacks", async () => {
    expect(await runCommand("not-there.ts")).toEqual({ code: 1, text: "not-there.ts is not there" });
    const wrong = join(folder, "wrong.mjs");
    expect(await runCommand(wrong)).toMatchObject({
      code: 1,
      text: expect.stringContaining("no default export with plugins"),
    });
  });
});
