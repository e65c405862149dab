import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createLogging } from "./logging.ts";
import { createRedaction } from "./redaction.ts";
import { readStoredLevels } from "./stored-levels.ts";

test("an external log row is a line in the day's file, like those of the service, and reaches no listener", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-logging-"));
  try {
    const redaction = createRedaction();
    redaction.remember("hunter2-secret");
    using logging = createLogging({ level: "error", format: "json", folder, redaction });
    const listener = vi.fn();
    logging.feed.subscribe(listener);
    const time = "2026-01-06T10:15:00.000Z";
    const context = { level: "error", written_by: "admin", key: "hunter2-secret" };
    logging.feed.toFile({ time, level: "info", source: "api", message: "line one\nline two", context });
    const lines = () =>
      readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8")
        .trim()
        .split("\n");
    await vi.waitFor(() => expect(lines()).not.toEqual([""]));
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      { level: 30, time, source: "api", msg: "line one\nline two", written_by: "admin", key: "***" },
    ]);
    expect(listener).not.toHaveBeenCalled();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("log levels of single plugins apply before settings are loaded, and unknown levels are ignored", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-logging-"));
  const file = join(folder, "settings.json");
  try {
    const before = readStoredLevels(file);
    writeFileSync(file, '{"log": {"levels": {"imB": "debug", "owl": "loud", "host": "warn"}}}');
    const stored = readStoredLevels(file);
    writeFileSync(file, '{"log": 3');
    expect([before, stored, readStoredLevels(file)]).toEqual([{}, { imB: "debug", host: "warn" }, {}]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
