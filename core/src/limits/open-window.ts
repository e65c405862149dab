import type { Resolver } from "../plugin.ts";
import { type SharedWindow, SharedWindows } from "../services/gateway/shared-windows.ts";
import { Clock } from "../services/operations/host.ts";
import { createMemoryWindow } from "./memory-window.ts";

/** What happened lately: at all processes of an installation, where a plugin shares it. Opened when it is asked for first. */
export function windowOf(from: Resolver, name: string, windowMs: number): () => SharedWindow {
  let window: SharedWindow | undefined;
  return () => {
    window ??=
      from.find(SharedWindows)?.open(name, windowMs) ?? createMemoryWindow(windowMs, () => from.get(Clock).monotonic());
    return window;
  };
}
