import { expect, it } from "vitest";
import { createComposerDock } from "./dock-state.ts";

const NOTHING = async () => {};
const writing = (sessionId: string) => ({
  sessionId,
  talk: { isRunning: false, say: () => {}, stop: NOTHING },
  place: undefined,
  isTakenOver: false,
});

it("a conversation started from the composer keeps its composer, and another conversation gets its own", () => {
  const dock = createComposerDock();
  const seen: (number | undefined)[] = [];
  const key = () => dock.current()?.key;
  dock.subscribe(() => seen.push(key()));
  dock.show(writing("new"));
  const first = key();
  dock.continueIn(writing("a"));
  dock.remove("new");
  dock.show(writing("a"));
  expect(key()).toBe(first);
  dock.show(writing("b"));
  expect(key()).not.toBe(first);
  dock.remove("a");
  expect(dock.current()?.writing.sessionId).toBe("b");
  dock.remove("b");
  expect(seen.at(-1)).toBeUndefined();
});
