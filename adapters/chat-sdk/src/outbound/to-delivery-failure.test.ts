import { expect, test } from "vitest";
import { toDeliveryFailure } from "./to-delivery-failure.ts";

test.each<[what: string, fields: object, retryAfterMs: number | undefined]>([
  ["in seconds, as adapters of the Chat SDK say it", { retryAfter: 30 }, 30_000],
  ["in milliseconds, as the Chat SDK itself says it", { retryAfterMs: 30_000 }, 30_000],
  ["not at all", {}, undefined],
])("a platform that is asked too often names the wait %s", (_what, fields, retryAfterMs) => {
  const error = Object.assign(new Error("slow down"), { code: "RATE_LIMITED", ...fields });
  expect(toDeliveryFailure("@acme/chat-adapter", error)).toMatchObject({
    failure: "throttled",
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
  expect(toDeliveryFailure("@acme/chat-adapter", error).retryAfterMs).toBe(retryAfterMs);
});
