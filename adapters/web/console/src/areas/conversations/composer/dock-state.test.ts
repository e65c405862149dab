import { expect, it } from "vitest";
import { createComposerDock } from "./dock-state.ts";

const NOTHING = async () => {};
const createProps = (sessionId: string) => ({
  sessionId,
  conversation: { isRunning: false, ask: () => {}, stop: NOTHING },
  target: undefined,
  isTakenOver: false,
});

it("a conversation started from the composer keeps its composer, and another conversation gets its own", () => {
  const dock = createComposerDock();
  const keys: (number | undefined)[] = [];
  const currentKey = () => dock.current()?.key;
  dock.subscribe(() => keys.push(currentKey()));
  dock.show(createProps("new"));
  const first = currentKey();
  dock.continueIn(createProps("a"));
  dock.remove("new");
  dock.show(createProps("a"));
  expect(currentKey()).toBe(first);
  dock.show(createProps("b"));
  expect(currentKey()).not.toBe(first);
  dock.remove("a");
  expect(dock.current()?.props.sessionId).toBe("b");
  dock.remove("b");
  expect(keys.at(-1)).toBeUndefined();
});
