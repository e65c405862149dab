import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { deadline } from "./deadline.ts";

describe("a deadline", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("aborts when its time is over", () => {
    using limit = deadline(1_000);
    vi.advanceTimersByTime(999);
    expect(limit.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(limit.signal.reason).toMatchObject({ name: "TimeoutError" });
  });

  test("starts again when it is extended, and never after its end", () => {
    using limit = deadline(1_000);
    vi.advanceTimersByTime(900);
    limit.restart();
    vi.advanceTimersByTime(900);
    expect(limit.signal.aborted).toBe(false);
    vi.advanceTimersByTime(100);
    expect(limit.signal.aborted).toBe(true);
    limit.restart();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("aborts with the reason of an earlier abort", () => {
    const [one, other] = [new AbortController(), new AbortController()];
    using limit = deadline(1_000, one.signal, other.signal);
    other.abort("stopped");
    one.abort("too late");
    vi.advanceTimersByTime(1_000);
    expect(limit.signal.reason).toBe("stopped");
  });

  test("is over at once when the work was aborted before", () => {
    using limit = deadline(1_000, new AbortController().signal, AbortSignal.abort("before"));
    expect(limit.signal.reason).toBe("before");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("leaves no timer and no listener behind, and does not abort later", () => {
    const outer = new AbortController();
    const remove = vi.spyOn(outer.signal, "removeEventListener");
    const { signal, restart, [Symbol.dispose]: release } = deadline(1_000, outer.signal);
    release();
    restart();
    outer.abort();
    expect(vi.getTimerCount()).toBe(0);
    expect(remove).toHaveBeenCalledOnce();
    expect(signal.aborted).toBe(false);
  });
});
