import { type Check, type Finding, localizeMessage, type PluginStatus, type Probe } from "@parley/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { collectFindings } from "./findings.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const same = localizeMessage;
const disk: Finding = { key: "host.disk", level: "warning", said: same("little room"), advice: same("make room") };
const down: Finding = { key: "channels.down", level: "problem", said: same("Shop is down"), advice: same("mend it") };
const probe = (id: string, status: "ok" | "degraded" | "down", detail = ""): Probe => ({
  id,
  health: async () => ({ status, detail }),
});
const check = (id: string, run: Check["run"]): Check => ({ id, run });

const asked = (parts: { readonly checks?: readonly Check[]; readonly probes?: readonly Probe[] }) =>
  collectFindings({
    host: { examine: async () => [disk], plugins: () => [{ id: "acme", failure: null } as PluginStatus] },
    checks: () => parts.checks ?? [],
    probes: () => parts.probes ?? [],
  });

test("problems are listed once, the worst first", async () => {
  const { items, total } = await asked({
    checks: [check("channels", async () => [down])],
    // The check of the channels reports it in more detail.
    probes: [
      probe("channels", "degraded", "Shop: refused"),
      probe("storage", "degraded", "the disk is full"),
      probe("web", "ok"),
    ],
  });
  expect(items).toEqual([
    down,
    disk,
    expect.objectContaining({
      key: "component.storage",
      level: "warning",
      said: { en: "storage: the disk is full", zh: "存储：the disk is full" },
    }),
  ]);
  expect(total).toBe(3);
});

test("a check that fails or hangs is reported itself, and the other results are listed", async () => {
  const answer = asked({
    checks: [
      check("broken", () => Promise.reject(new Error("no such table"))),
      check("hanging", () => new Promise(() => {})),
      check("channels", async () => [down]),
    ],
  });
  await vi.advanceTimersByTimeAsync(5_000);
  const { items } = await answer;
  expect(items.map(({ said }) => said)).toEqual([
    down.said,
    disk.said,
    { en: "broken: no such table", zh: "broken：no such table" },
    { en: "hanging: no answer within 5 s", zh: "hanging：5 秒内没有响应" },
  ]);
});

test("a plugin that does not run is a problem", async () => {
  const host = {
    examine: async () => [],
    plugins: () => [{ id: "acme", failure: "its key is wrong" } as PluginStatus],
  };
  const { items } = await collectFindings({ host, checks: () => [], probes: () => [] });
  expect(items).toEqual([
    expect.objectContaining({
      key: "plugin",
      level: "problem",
      said: { en: "the plugin acme is not running: its key is wrong", zh: "插件 acme 未运行：its key is wrong" },
    }),
  ]);
});
