import type { Resolver } from "../plugin.ts";
import { type SharedWindow, SharedWindows } from "../services/gateway/shared-windows.ts";
import { Clock } from "../services/operations/host.ts";
import { createMemoryWindow } from "./memory-window.ts";

/** Returns a getter of a window of recent events, shared by all processes where a plugin provides `SharedWindows`. Opened on first use. */
export function openSharedWindow(from: Resolver, name: string, windowMs: number): () => SharedWindow {
  let window: SharedWindow | undefined;
  return () => {
    window ??=
      from.find(SharedWindows)?.open(name, windowMs) ?? createMemoryWindow(windowMs, () => from.get(Clock).monotonic());
    return window;
  };
}
