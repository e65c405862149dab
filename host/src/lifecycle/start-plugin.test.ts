import { type Logger, silentLogger } from "@parley/core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DeclaredPlugin } from "../plugins/declare-plugins.ts";
import { createReloadHandover } from "./reload-handover.ts";
import { startPlugin } from "./start-plugin.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each(["start", "ready"] as const)(
  "a %s that never ends is reported, and then aborted with the time it took",
  async (step) => {
    const warned: string[] = [];
    const log: Logger = { ...silentLogger, warn: (text) => void warned.push(text), child: () => log };
    const plugin = { [step]: () => new Promise(() => {}) };
    const declared = {
      loaded: { entry: { id: "acme" }, plugin, isThirdParty: true, path: "" },
      config: {},
    } as unknown as DeclaredPlugin;
    const given = { from: {} as never, log, withinMs: 60_000, step, acrossReloads: createReloadHandover() };
    const started = expect(startPlugin(declared, new AsyncDisposableStack(), given)).rejects.toThrow(
      `${step} failed: ${step} did not end within 60 s`,
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect(warned).toEqual(["plugin 'acme' is still starting: it is given up after 60 s"]);
    await vi.advanceTimersByTimeAsync(55_000);
    await started;
  },
);
