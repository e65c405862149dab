import { createECDH, randomBytes } from "node:crypto";
import type { Call, Seed } from "../calls.ts";

let count = 0;

/** Builds a browser's subscription; nothing is sent to the endpoint, and its name is never resolved. */
function buildSubscription() {
  const own = createECDH("prime256v1");
  const keys = { p256dh: own.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") };
  return { endpoint: `https://93.184.215.14/${++count}`, keys };
}

async function subscribe({ api }: Seed): Promise<{ readonly endpoint: string }> {
  const body = { subscription: buildSubscription() };
  await api.post("/api/push/subscribe", body);
  return { endpoint: body.subscription.endpoint };
}

/** Removes all subscriptions, so that other calls cause no notifications. */
async function unsubscribe({ api }: Seed): Promise<void> {
  const { items } = await api.get<{ items: readonly { id: string }[] }>("/api/push/subscriptions");
  for (const { id } of items) await api.post("/api/push/unsubscribe", { id });
}

/** A working call of every route of push. */
export const PUSH_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/push/public-key": { gives: ["public_key"] },
  "GET /api/push/status": { gives: ["supported", "configured", "public_key_configured", "subscriptions"] },
  "POST /api/push/subscribe": {
    body: () => ({ subscription: buildSubscription() }),
    gives: ["id", "created"],
    after: unsubscribe,
  },
  "POST /api/push/unsubscribe": { params: subscribe, body: ({ endpoint }) => ({ endpoint }), gives: ["removed"] },
  "POST /api/push/test": { body: {}, gives: ["sent", "failed", "removed", "skipped"] },
};

/** A working call of the route that is not in the contract. */
export const OUR_PUSH_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/push/subscriptions": { gives: ["items", "total", "limit", "offset"] },
};
