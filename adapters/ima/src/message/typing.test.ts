import { DeliveryError, type DeliveryFailure } from "@parley/core";
import { expect, test } from "vitest";
import type { Bridge } from "../bridge/bridge.ts";
import { createTyping } from "./typing.ts";

function createBridge(failure?: DeliveryFailure) {
  const calls: unknown[] = [];
  const bridge: Bridge = {
    async call(action, params) {
      calls.push([action, params]);
      if (failure) throw new DeliveryError(failure, "the bridge failed");
    },
    wasTokenRejected: () => false,
    ended: Promise.resolve(),
    close() {},
    terminate() {},
    release() {
      throw new Error("the bridge is not released");
    },
  };
  return { bridge, calls };
}

test("the bot is shown typing in private, and not in groups or without a bridge", async () => {
  const { bridge, calls } = createBridge();
  await createTyping(() => bridge)("private:42");
  await createTyping(() => bridge)("group:7");
  await createTyping(() => undefined)("private:42");
  expect(calls).toEqual([["set_input_status", { user_id: 42, event_type: 1 }]]);
});

test("a bridge that does not have the action is not asked again; the next one is", async () => {
  let current = createBridge("permanent");
  const first = current;
  const showTyping = createTyping(() => current.bridge);
  await showTyping("private:42");
  await showTyping("private:42");
  expect(first.calls).toHaveLength(1);
  current = createBridge("unavailable");
  await expect(showTyping("private:42")).rejects.toThrow("the bridge failed");
});
