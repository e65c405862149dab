import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type ChannelAdapter,
  ChannelAdapters,
  Channels,
  definePlugin,
  type IdempotencyMode,
  type InboundMessage,
  systemClock,
} from "@parley/core";
import {
  type FaultKind,
  IMABOT_APP,
  IMC_APP,
  type ModelServer,
  type Platform,
  type SimulatorOptions,
  startImaBotServer,
  startImaBridge,
  startImbServer,
  startImcServer,
  startModelServer,
  startReceiver,
} from "@parley/simulators";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createImaAdapter } from "../../adapters/ima/src/adapter.ts";
import { createImaBotAdapter } from "../../adapters/ima/src/bot/adapter.ts";
import { createGatewaySessions } from "../../adapters/ima/src/bot/gateway-socket.ts";
import { createReverseEndpoint } from "../../adapters/ima/src/bridge/reverse-connection.ts";
import { IMA_TIMING } from "../../adapters/ima/src/bridge/timing.ts";
import { createHandedOverSockets } from "../../adapters/ima/src/handed-over-sockets.ts";
import { createImbAdapter } from "../../adapters/imb/src/adapter.ts";
import { createImcAdapter } from "../../adapters/imc/src/adapter.ts";
import { isInFiles } from "../harness/chosen-storage.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const SEEDS = [1, 2, 3, 4, 5];
const PROBABILITIES = {
  duplicate: 0.15,
  delay: 0.2,
  reorder: 0.1,
  tooMany: 0.06,
  serverError: 0.08,
  halfOpen: 0.04,
} as const;
const CONVERSATIONS = 6;
const MESSAGES = 3;
/** Every second person waits for the answer, at most this long, before the next message. */
const IMPATIENT_MS = 5_000;
const ENV = {
  IMA_ACCESS_TOKEN: "",
  IMABOT_APP_SECRET: IMABOT_APP.secret,
  IMB_BOT_TOKEN: "42:secret",
  IMB_WEBHOOK_SECRET: "imb-secret",
  IMC_APP_SECRET: IMC_APP.secret,
  IMC_ENCRYPT_KEY: "encrypt-key",
  IMC_VERIFICATION_TOKEN: "vt",
  SVC_WEBHOOK_SECRET: "sesame",
};
const PATIENCE_MS = 4_000;
/** Time limit for all deliveries to settle: one with an unknown outcome is looked up for half a minute, and so is its retry. */
const SETTLES_WITHIN_MS = 180_000;

/** Returns the adapter with timeouts of four seconds instead of ten, which a busy machine keeps. */
function withShortTimeouts(adapter: ChannelAdapter): ChannelAdapter {
  return {
    ...adapter,
    open: (channel, io, signal) => {
      const fetch: typeof io.fetch = (input, init = {}) => {
        const limit = AbortSignal.timeout(PATIENCE_MS);
        return io.fetch(input, { ...init, signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit });
      };
      return adapter.open(channel, { ...io, fetch }, signal);
    },
  };
}

const timing = {
  ...IMA_TIMING,
  callMs: PATIENCE_MS,
  identifyMs: PATIENCE_MS,
  firstBackoffMs: 2,
  maxBackoffMs: 20,
  pingMs: 200,
  silenceMs: 400,
  probeMs: PATIENCE_MS,
  conversationIntervalMs: 1,
  accountIntervalMs: 1,
};
const ADAPTERS = {
  imA: createImaAdapter({
    reverseEndpoint: createReverseEndpoint(),
    handedOver: createHandedOverSockets(),
    bridges: new Map(),
    random: Math.random,
    timing,
  }),
  imAbot: withShortTimeouts(
    createImaBotAdapter({
      clock: systemClock,
      random: Math.random,
      sessions: createGatewaySessions(),
      backoffMs: [2, 20],
    }),
  ),
  imB: withShortTimeouts(createImbAdapter({ clock: { now: Date.now }, connections: new Map() })),
  imC: withShortTimeouts(createImcAdapter({ clock: systemClock, connections: new Map(), random: Math.random })),
};
const hurriedAdapters = definePlugin({
  id: "hurried-adapters",
  register({ contribute }) {
    // Under separate types, because some types allow only one channel.
    for (const [type, adapter] of Object.entries(ADAPTERS)) {
      contribute(ChannelAdapters, () => ({ ...adapter, type: `hurried_${type}` }));
    }
  },
});

interface Case {
  readonly type: string;
  readonly transport: string;
  readonly mode: IdempotencyMode;
  readonly conversation: (number: number) => string;
  /** True where a message sent while the socket is down, in a conversation unknown to the service, cannot be recovered. */
  readonly mayLose?: boolean;
  readonly probabilities?: object;
  /** Starts the platform; `webhook` is where it may post. */
  readonly start: (
    options: SimulatorOptions,
    webhook: string,
  ) => Promise<{ readonly platform: Platform<unknown>; readonly config: object }>;
}

const CASES: readonly Case[] = [
  {
    type: "hurried_imA",
    transport: "bridge",
    mode: "reconcile",
    mayLose: true,
    // After each reconnect it asks about every conversation; a higher rate would silence it most of the time.
    probabilities: { halfOpen: 0.015 },
    conversation: (number) => `private:${600 + number}`,
    async start(options) {
      const platform = await startImaBridge(options);
      return { platform, config: { ws_uri: platform.address, access_token_env: "" } };
    },
  },
  {
    type: "hurried_imAbot",
    transport: "websocket",
    mode: "native_key",
    conversation: (number) => `private:U${number}`,
    async start(options) {
      const platform = await startImaBotServer(options);
      return { platform, config: { app_id: IMABOT_APP.id, api_base: platform.address } };
    },
  },
  {
    type: "hurried_imB",
    transport: "webhook",
    mode: "none",
    conversation: (number) => String(600 + number),
    async start(options, url) {
      const platform = await startImbServer(options);
      platform.useWebhook({ url, secret_token: ENV.IMB_WEBHOOK_SECRET });
      return { platform, config: { api_base: platform.address, paced: false } };
    },
  },
  {
    type: "hurried_imC",
    transport: "webhook",
    mode: "native_key",
    conversation: (number) => `oc_${number}`,
    async start(options, url) {
      const platform = await startImcServer(options);
      const { IMC_ENCRYPT_KEY: encryptKey, IMC_VERIFICATION_TOKEN: verificationToken } = ENV;
      platform.useWebhook({ url, encryptKey, verificationToken });
      return { platform, config: { app_id: IMC_APP.id, api_base: platform.address } };
    },
  },
  {
    type: "generic",
    transport: "webhook",
    mode: "native_key",
    conversation: (number) => `u${number}`,
    async start(options, url) {
      const platform = await startReceiver(options);
      platform.useWebhook({ url, headers: { "x-svc-token": ENV.SVC_WEBHOOK_SECRET } });
      const auth = { type: "static", secret_env: "SVC_WEBHOOK_SECRET" };
      return { platform, config: { auth, outbound_url: platform.address, timeout_s: PATIENCE_MS / 1_000 } };
    },
  },
];

/** A message that the service accepted, and the state of its answer. */
interface DeliveryRecord {
  readonly text: string;
  readonly conversation: string;
  readonly traceId: string;
  readonly isOver: boolean;
  readonly deliveries: readonly Delivery[];
}
interface Delivery {
  readonly state: string;
  readonly cause: string | null;
}
interface Row extends Delivery {
  readonly trace_id: string;
  readonly channel_id: string;
  readonly message: string;
}

interface Run {
  readonly platform: Platform<unknown>;
  /** All sent messages by conversation. */
  readonly messages: ReadonlyMap<string, string>;
  readonly outcomes: readonly DeliveryRecord[];
}

/** Final states; an answer in the state `failed` is retried. */
const OVER = {
  inbox: ["done", "ignored", "stopped", "expired", "failed", "dead"],
  outbox: ["delivered", "dead", "expired"],
};
const RUNS = CASES.flatMap((one) => SEEDS.map((seed) => ({ ...one, seed, id: `${one.type}_${seed}` })));

// The simulated faults concern storage in files.
describe.runIf(isInFiles)("every accepted message is answered once, or its possible loss is reported", () => {
  let models: ModelServer;
  let parley: Parley;
  let api: Client;
  let database: DatabaseSync;
  const platforms: Platform<unknown>[] = [];
  const runs = new Map<string, Promise<Run>>();

  beforeAll(async () => {
    models = await startModelServer();
    // A notice of a slow reply would count as a second answer on a busy machine.
    const config = "[plugin.gateway]\nslow_reply =\n";
    parley = await startParley({ plugins: [hurriedAdapters], env: ENV, config });
    api = await parley.signIn();
    const { id } = await api.post<{ id: string }>("/api/ai-models", {
      name: "m",
      model: "m",
      base_url: models.baseUrl,
    });
    await api.post(`/api/ai-models/${id}/apply`, {});
    database = new DatabaseSync(join(parley.root, "data", "parley.db"), { readOnly: true });
    // All runs at once, because each mostly waits.
    for (const one of RUNS) runs.set(one.id, run(one));
    for (const work of runs.values()) work.catch(() => undefined);
  }, 60_000);
  afterAll(async () => {
    await Promise.allSettled(runs.values());
    database.close();
    await parley[Symbol.asyncDispose]();
    for (const platform of platforms) await platform[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  });

  let creating: Promise<unknown> = Promise.resolve();

  async function run(one: (typeof RUNS)[number]): Promise<Run> {
    const { id, type, transport, conversation } = one;
    const faults = { seed: one.seed, ...PROBABILITIES, ...one.probabilities };
    const { platform, config } = await one.start({ faults }, `${parley.address}/api/gateway/${id}/webhook`);
    platforms.push(platform);
    // One after another: the service connects one channel at a time, and requests for many at once would time out.
    const settings = { id, name: id, type, transport, config: { ...config, burst: "off" } };
    creating = creating.then(() => api.post("/api/channels", settings));
    await creating;
    await vi.waitFor(() => expect(parley.host.get(Channels).status(id).connected).toBe(true), { timeout: 20_000 });
    const sentTexts = new Map<string, string>();
    const talk = async (number: number) => {
      for (let message = 0; message < MESSAGES; message += 1) {
        const text = `(${id} ${number} ${message})`;
        sentTexts.set(text, conversation(number));
        await platform.say(conversation(number), text);
        if (number % 2 === 0) continue;
        const isAnswered = () =>
          expect(listRecords().some((record) => record.isOver && record.text === text)).toBe(true);
        await vi.waitFor(isAnswered, { timeout: IMPATIENT_MS, interval: 100 }).catch(() => undefined);
      }
    };
    await Promise.all(Array.from({ length: CONVERSATIONS }, (_, number) => talk(number)));
    const own = await vi.waitFor(
      () => {
        const mine = listRecords().filter(({ traceId }) => channelOf.get(traceId) === id);
        const missing = [...sentTexts.keys()].filter(
          (text) => !one.mayLose && !mine.some((record) => record.text === text),
        );
        const open = mine.filter(({ isOver }) => !isOver).map(({ text, deliveries }) => ({ text, deliveries }));
        expect({ missing, open }).toEqual({ missing: [], open: [] });
        return mine;
      },
      { timeout: SETTLES_WITHIN_MS, interval: 200 },
    );
    return { platform, messages: sentTexts, outcomes: own };
  }

  const channelOf = new Map<string, string>();
  let known: { readonly atMs: number; readonly fates: readonly DeliveryRecord[] } = { atMs: 0, fates: [] };
  /** Returns the outcomes of all messages, cached for 50 ms. */
  function listRecords(): readonly DeliveryRecord[] {
    if (performance.now() - known.atMs < 50) return known.fates;
    const rows = (table: string) => database.prepare(`select * from ${table}`).all() as unknown as readonly Row[];
    // The inbox is read first: messages done by then already have their answer in the outbox.
    const accepted = rows("inbox");
    const deliveries = Map.groupBy(rows("outbox"), ({ trace_id }) => trace_id);
    const all = accepted.map(({ trace_id: traceId, channel_id, state, message }) => {
      channelOf.set(traceId, channel_id);
      const { text, conversation } = JSON.parse(message) as InboundMessage;
      const own = (deliveries.get(traceId) ?? []).map(({ state, cause }) => ({ state, cause }));
      const isOver = OVER.inbox.includes(state) && own.every((one) => OVER.outbox.includes(one.state));
      return { text, conversation: conversation.id, traceId, isOver, deliveries: own };
    });
    known = { atMs: performance.now(), fates: all };
    return all;
  }

  /** Returns the problem with the reply to a message; undefined for none. */
  function findProblem(
    { text, conversation, deliveries }: DeliveryRecord,
    platform: Platform<unknown>,
    mode: IdempotencyMode,
  ) {
    const shown = platform.shown(conversation).filter((one) => one.includes(text)).length;
    const sends = platform.calls.filter((call) => JSON.stringify(call).includes(text)).length;
    const countFaults = (kinds: readonly FaultKind[], ...about: readonly string[]) =>
      platform.injected.filter((one) => kinds.includes(one.kind) && one.call !== "event" && about.includes(one.about))
        .length;
    const [delivery] = deliveries;
    const describeProblem = (what: string) =>
      `${text} ${what}: shown ${shown}, sent ${sends}, ${JSON.stringify(deliveries)}`;
    if (!delivery || deliveries.length > 1) return describeProblem("has not one answer");
    if (shown > 1) return describeProblem("is answered twice");
    // If a repeat is not safe, only rejected deliveries are sent again.
    if (mode === "none" && sends > 1 + countFaults(["tooMany"], conversation))
      return describeProblem("is sent again in doubt");
    if (delivery.state === "delivered") return shown === 1 ? undefined : describeProblem("is said to be answered");
    // One socket serves all conversations, so its outage affects all of them.
    const lost =
      countFaults(["serverError", "halfOpen"], conversation) +
      (mode === "reconcile" ? countFaults(["halfOpen"], ...listFaultTargets(platform)) : 0);
    const isUnknown = delivery.cause === "outcome_unknown" && (mode === "none" || mode === "reconcile") && lost > 0;
    const isGivenUp =
      delivery.cause === "unavailable" && countFaults(["tooMany", "serverError", "halfOpen"], conversation, "") >= 3;
    return isUnknown || isGivenUp ? undefined : describeProblem("is not answered");
  }
  const listFaultTargets = ({ injected }: Platform<unknown>) => [...new Set(injected.map(({ about }) => about))];

  test.each(RUNS)(
    "$type, seed $seed",
    async ({ id, mode, mayLose }) => {
      const { platform, messages, outcomes: own } = await (runs.get(id) as Promise<Run>);
      expect(own.map((record) => findProblem(record, platform, mode)).filter(Boolean)).toEqual([]);
      const accepted = own.map(({ text }) => text);
      expect(new Set(accepted).size).toBe(accepted.length);
      if (!mayLose) expect(accepted.toSorted()).toEqual([...messages.keys()].toSorted());
    },
    SETTLES_WITHIN_MS + 60_000,
  );

  test.each(CASES)(
    "$type met every kind of fault",
    async ({ type }) => {
      const kinds = new Set<string>();
      for (const { id, ...one } of RUNS) {
        if (one.type === type) for (const { kind } of (await runs.get(id))?.platform.injected ?? []) kinds.add(kind);
      }
      expect([...kinds].toSorted()).toEqual(Object.keys(PROBABILITIES).toSorted());
    },
    120_000,
  );
});
