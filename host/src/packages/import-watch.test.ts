import { expect, test, vi } from "vitest";
import { importWithTimeout } from "./import-watch.ts";

test("an import that waits is told of after five seconds that anything could run in, and given up in the end", async () => {
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
