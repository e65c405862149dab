import { expect, test, vi } from "vitest";
import { importWithTimeout } from "./import-watch.ts";

test("a slow import is reported after five seconds while other work can run, and aborted in the end", async () => {
  vi.useFakeTimers();
  try {
    const tell = vi.fn();
    const imported = importWithTimeout(new Promise(() => {}), 60_000, tell);
    const failed = expect(imported).rejects.toThrow("its import did not end within 60 s");
    await vi.advanceTimersByTimeAsync(4_999);
    expect(tell).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(tell).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(55_000);
    await failed;
    expect(tell).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
