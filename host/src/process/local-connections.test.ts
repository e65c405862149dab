import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, silentLogger } from "@parley/core";
import { expect, test } from "vitest";
import { connectToService, createLocalConnections } from "./local-connections.ts";

test("a local program can connect while the service runs, and not afterwards", async () => {
  const data = mkdtempSync(join(tmpdir(), "parley-local-"));
  try {
    {
      await using local = createLocalConnections(data, silentLogger);
      await local.serve(({ output }) => void output.end("hello"));
      const streams = await connectToService(data);
      expect((await streams?.input.toArray())?.join("")).toBe("hello");
      streams?.output.end();
    }
    expect(await connectToService(data)).toBeUndefined();
  } finally {
    rmSync(data, { recursive: true });
  }
});

test("the service runs without its local socket when it cannot be created, and reports that", async () => {
  const data = join(tmpdir(), "parley-no-such-folder");
  const lines: string[] = [];
  const log: Logger = { ...silentLogger, warn: (line: string) => void lines.push(line) };
  await using local = createLocalConnections(data, log);
  const end = await local.serve(() => {});
  end();
  expect(lines).toEqual(["local programs cannot connect: no socket can be made in the data folder"]);
  expect(existsSync(data)).toBe(false);
});
