import {
  acceptedLanguage,
  type Caller,
  type Database,
  inLanguage,
  type RouteTable,
  route,
  type Sessions,
} from "@parley/core";
import { listQuery } from "@parley/core/http";
import type { PushMessage, SendPush } from "./push-service.ts";
import {
  publicKeyData,
  statusData,
  subscribeBody,
  subscribeData,
  subscriptionsData,
  type TestBody,
  testBody,
  testData,
  unsubscribeBody,
  unsubscribeData,
} from "./schema.ts";
import { createOutcomeWrites, toSessionUrl } from "./send-job.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { pushTexts } from "./texts.ts";
import type { VapidPair } from "./vapid.ts";

const TEST_TTL_SECONDS = 60;

export interface RouteDeps {
  readonly subscriptions: Subscriptions;
  readonly pair: () => VapidPair;
  readonly send: SendPush;
  readonly sessions: () => Pick<Sessions, "get">;
  readonly database: () => Database;
}

/** Creates the routes with which browsers subscribe and test their subscription. */
export function createPushRoutes(deps: RouteDeps): RouteTable {
  const { subscriptions, pair, sessions } = deps;
  return [
    route({
      method: "GET",
      path: "/api/push/public-key",
      summary: "the key that browsers subscribe with",
      data: publicKeyData,
      run: () => ({ public_key: pair().publicKey }),
    }),
    route({
      method: "GET",
      path: "/api/push/status",
      summary: "get the push configuration, and the number of the caller's subscriptions",
      data: statusData,
      async run({ caller }) {
        const configured = hasPair(pair);
        const count = await subscriptions.count(caller);
        return { supported: true, configured, public_key_configured: configured, subscriptions: count };
      },
    }),
    route({
      method: "GET",
      path: "/api/push/subscriptions",
      summary: "list the caller's subscriptions, newest first",
      query: listQuery(),
      data: subscriptionsData,
      run: ({ caller, query }) => subscriptions.list(caller, query),
    }),
    route({
      method: "POST",
      path: "/api/push/subscribe",
      summary: "subscribe a browser, of all sessions or of one",
      scope: "chat",
      body: subscribeBody,
      data: subscribeData,
      async run({ body, caller, headers }) {
        const session = body.session_id === null ? undefined : await sessions().get(body.session_id);
        return subscriptions.subscribe(
          { ...body, session_id: session?.id ?? null },
          { caller, userAgent: headers["user-agent"] ?? "", language: acceptedLanguage(headers["accept-language"]) },
        );
      },
    }),
    route({
      method: "POST",
      path: "/api/push/unsubscribe",
      summary: "end a subscription of the caller",
      scope: "chat",
      body: unsubscribeBody,
      data: unsubscribeData,
      run: async ({ body, caller }) => ({ removed: await subscriptions.unsubscribe(body, caller) }),
    }),
    route({
      method: "POST",
      path: "/api/push/test",
      summary: "send a notification to the caller's browsers now",
      body: testBody,
      data: testData,
      run: ({ body, caller, signal }) => sendTest(deps, body, caller, signal),
    }),
  ];
}

/** Sends to each subscription of the requested session; skips others, and those that must wait. */
async function sendTest(
  { subscriptions, pair, send, sessions, database }: RouteDeps,
  { session_id, title, body }: TestBody,
  caller: Caller,
  signal: AbortSignal,
) {
  pair();
  const session = session_id === null ? undefined : await sessions().get(session_id);
  const own = await subscriptions.listOwn(caller);
  const receiving = own.filter(({ sessionId }) => !session || sessionId === null || sessionId === session.id);
  const url = session ? toSessionUrl(session.id) : "/dashboard";
  const sent = await Promise.all(
    receiving.map(async (to) => {
      const payload = {
        title: title || "Parley",
        body: body || inLanguage(pushTexts.localized("notice_test"), to.language),
        url,
        tag: session?.id ?? "test",
      };
      const message: PushMessage = { payload, ttlSeconds: TEST_TTL_SECONDS, isUrgent: true };
      return { id: to.id, outcome: await send(to, message, signal) };
    }),
  );
  const writes = sent.flatMap(({ id, outcome }) =>
    outcome.kind === "later" ? [] : createOutcomeWrites(subscriptions, id, outcome),
  );
  if (writes.length > 0) await database().write(writes);
  const countOutcomes = (kind: string) => sent.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    sent: countOutcomes("sent"),
    failed: countOutcomes("failed"),
    removed: countOutcomes("gone"),
    skipped: own.length - receiving.length + countOutcomes("later"),
  };
}

function hasPair(pair: () => VapidPair): boolean {
  try {
    return pair().publicKey !== "";
  } catch {
    // The route of the public key reports the reason.
    return false;
  }
}
