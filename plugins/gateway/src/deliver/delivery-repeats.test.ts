import {
  type ChannelLink,
  type Channels,
  type Clock,
  DeliveryError,
  type DeliveryFailure,
  type IdempotencyMode,
  silentLogger,
} from "@parley/core";
import { expect, test } from "vitest";
import type { Delivery } from "../store/delivery.ts";
import type { DeliveryChange } from "../store/outbox.ts";
import { createCircuitBreakers } from "./circuit-breakers.ts";
import { splitIntoDeliveries } from "./deliveries.ts";
import { createDeliveryAttempts } from "./delivery-attempts.ts";
import { createDeliveryProcessor } from "./delivery-processor.ts";
import { createDeliveryQueues, toConversationKey } from "./delivery-queues.ts";
import { createOutcomePolicy } from "./outcome-policy.ts";
import { createSendingPermit } from "./sending-permit.ts";

type Outcome = "delivered" | DeliveryFailure;
type HistoryAnswer = "delivered" | "absent" | "unknown" | "unreachable" | "throws";

const OUTCOMES: readonly Outcome[] = [
  "delivered",
  "ambiguous",
  "unavailable",
  "throttled",
  "not_sent",
  "auth",
  "migrated",
  "payload",
  "permanent",
  "window_closed",
  "no_sender",
];
const HISTORY_ANSWERS: readonly HistoryAnswer[] = ["delivered", "absent", "unknown", "unreachable", "throws"];
const MODES: readonly IdempotencyMode[] = ["native_key", "natural", "reconcile", "none"];
const POLICIES = ["review", "resend", "drop"];
/** Outcomes after which a person may have the message. */
const MAY_HAVE_ARRIVED: ReadonlySet<Outcome> = new Set(["ambiguous", "unavailable"]);
const TTL_MS = 600_000;

interface Platform {
  readonly mode: IdempotencyMode;
  readonly policy: string;
  readonly outcome: (send: number) => Outcome;
  readonly historyAnswer: (historyAnswer: number) => HistoryAnswer;
  /** Throws in place of the platform's response. */
  readonly throws?: () => never;
  /** Throws between a send and its receipt, like an internal error. */
  readonly throwsInternally?: () => never;
  /** Returns whether the n-th change can be stored. */
  readonly canStore?: (change: number) => boolean;
}

interface Sent {
  readonly atMs: number;
  readonly outcome: Outcome;
}

interface Simulation {
  readonly sends: readonly Sent[];
  readonly queriedAtMs: readonly number[];
  readonly last: DeliveryChange | undefined;
  readonly isOver: boolean;
}

/** Processes one delivery, on a simulated clock, until it has ended or is long expired. */
async function deliver(platform: Platform): Promise<Simulation> {
  let now = 1_000_000;
  let changes = 0;
  let last: DeliveryChange | undefined;
  const sends: Sent[] = [];
  const queriedAtMs: number[] = [];
  const clock = { now: () => now, monotonic: () => now } as Clock;
  const link: ChannelLink = {
    async send() {
      const outcome = platform.outcome(sends.length);
      sends.push({ atMs: now, outcome });
      platform.throws?.();
      if (outcome === "delivered") return { quality: "confirmed" };
      const more = { retryAfterMs: 0, conversationId: `c${sends.length % 2}` };
      throw new DeliveryError(outcome, outcome, outcome === "throttled" || outcome === "migrated" ? more : {});
    },
    async reconcile() {
      queriedAtMs.push(now);
      const historyAnswer = platform.historyAnswer(queriedAtMs.length - 1);
      if (historyAnswer === "unreachable") throw new DeliveryError("not_sent", "not connected");
      if (historyAnswer === "throws") throw new Error("the history is broken");
      return historyAnswer;
    },
    async [Symbol.asyncDispose]() {},
  };
  const channel = { id: "test", type: "test", enabled: true, config: { on_unknown: platform.policy } } as never;
  const queues = createDeliveryQueues();
  const breakers = createCircuitBreakers(clock, () => {});
  const outcomePolicy = createOutcomePolicy({ log: { add() {} } as never, clock, breakers, random: () => 0 });
  const { throwsInternally } = platform;
  const store = {
    async updateDelivery(_id: string, change: DeliveryChange) {
      changes += 1;
      if (platform.canStore?.(changes) === false) throw new Error("the disk is full");
      last = { ...last, ...change };
    },
    listDeliveryStates: async () => [],
  };
  const attempts = createDeliveryAttempts({
    store,
    outcomePolicy: throwsInternally
      ? { ...outcomePolicy, handleFailure: throwsInternally, finishDelivered: throwsInternally }
      : outcomePolicy,
    breakers,
    permit: createSendingPermit(),
    clock,
    logger: silentLogger,
    failPoint: () => {},
    channels: () => ({ get: () => channel }) as unknown as Channels,
    findConnected: () => ({ channel, link, mode: platform.mode, closing: new AbortController() }),
    isAlive: () => true,
    canProcess: () => true,
    markSending: (delivery) => queues.replaceFirst(toConversationKey(delivery), { ...delivery, state: "sending" }),
    getSendTimeoutMs: () => undefined,
  });
  const wakeAll = () => {};
  const deps = {
    store,
    queues,
    attempts,
    outcomePolicy,
    clock,
    failPoint: () => {},
    recordMove: async () => {},
    countCancelled: () => {},
    wakeAll,
  };
  const steps = createDeliveryProcessor(deps);
  queues.add([createDelivery(now)]);
  const isOpen = () => [...queues.keys()].flatMap((key) => (queues.first(key) ? [key] : []));
  const began = now;
  for (let [key] = isOpen(); key !== undefined && now < began + 4 * TTL_MS && sends.length < 200; [key] = isOpen()) {
    const first = queues.first(key) as Delivery;
    now = Math.max(now, first.nextMs);
    // After an internal error the scheduler retries in five seconds.
    await steps.processNext(key).catch(() => {
      now += 5_000;
    });
  }
  return { sends, queriedAtMs, last, isOver: isOpen().length === 0 };
}

function createDelivery(nowMs: number): Delivery {
  const message = {
    channelId: "test",
    sessionId: "test:c0",
    conversation: { id: "c0", isGroup: false },
    text: "once please",
    attachments: [],
  };
  const [delivery] = splitIntoDeliveries("gw_1", 0, message, () => undefined, nowMs);
  expect(toConversationKey(delivery as Delivery)).toBe("test\0c0");
  return delivery as Delivery;
}

/** Checks what holds for every simulation, whatever the platform answers. */
function checkSimulation({ sends, isOver, last }: Simulation, { mode, policy }: Platform, label: string): void {
  expect(isOver, `${label}: the delivery ends`).toBe(true);
  const maybe = sends.filter(({ outcome }) => MAY_HAVE_ARRIVED.has(outcome));
  expect(maybe.length, `${label}: sends that may have arrived`).toBeLessThanOrEqual(3);
  const isRepeated = mode === "native_key" || mode === "natural" || policy === "resend";
  const ambiguous = sends.filter(({ outcome }) => outcome === "ambiguous").length;
  if (!isRepeated) {
    const most = mode === "reconcile" && policy === "review" ? 2 : 1;
    expect(ambiguous, `${label}: sends with an unknown outcome`).toBeLessThanOrEqual(most);
  }
  expect(sends.length, `${label}: all sends`).toBeLessThanOrEqual(60);
  for (const { atMs } of sends) {
    const within = sends.filter((one) => one.atMs >= atMs && one.atMs < atMs + 1_000).length;
    // A new credential and a new address of the conversation are tried at once.
    expect(within, `${label}: sends within a second`).toBeLessThanOrEqual(5);
  }
  if (maybe.length > 1)
    expect(last?.attempts, `${label}: they count as attempts`).toBeGreaterThanOrEqual(maybe.length - 1);
}

const createRandom = (seed: number) => {
  let state = seed;
  return <T>(from: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return from[Math.floor((state / 2 ** 31) * from.length)] as T;
  };
};

test.each(MODES.flatMap((mode) => POLICIES.map((policy) => [mode, policy] as const)))(
  "no answers of a platform cause endless or immediate repeats of a delivery: %s, on_unknown %s",
  async (mode, policy) => {
    for (const first of OUTCOMES) {
      for (const then of OUTCOMES) {
        for (const historyAnswer of HISTORY_ANSWERS) {
          const platform = {
            mode,
            policy,
            outcome: (n: number) => (n === 0 ? first : then),
            historyAnswer: () => historyAnswer,
          };
          checkSimulation(await deliver(platform), platform, `${first}, then ${then}, history ${historyAnswer}`);
        }
      }
    }
    for (let seed = 1; seed <= 300; seed += 1) {
      const pick = createRandom(seed);
      const platform = { mode, policy, outcome: () => pick(OUTCOMES), historyAnswer: () => pick(HISTORY_ANSWERS) };
      checkSimulation(await deliver(platform), platform, `seed ${seed}`);
    }
  },
);

test.each(MODES)("a delivery whose outcome cannot be stored is not repeated: %s", async (mode) => {
  for (const outcome of ["delivered", "ambiguous"] as const) {
    const canStore = (change: number) => change === 1 || change > 40;
    const platform = {
      mode,
      policy: "review",
      outcome: () => outcome,
      historyAnswer: () => "delivered" as const,
      canStore,
    };
    const { sends, last } = await deliver(platform);
    const isSafe = mode === "native_key" || mode === "natural";
    expect(sends.length).toBeLessThanOrEqual(outcome === "ambiguous" && isSafe ? 3 : 1);
    expect(last?.state).toBe(outcome === "delivered" || mode === "reconcile" ? "delivered" : "dead");
  }
});

test.each(MODES)("an internal error after a delivery never sends the message as a waiting one: %s", async (mode) => {
  const fails = () => {
    throw new Error("a bug of ours");
  };
  for (const outcome of ["delivered", "ambiguous"] as const) {
    const platform = { mode, policy: "review", outcome: () => outcome, historyAnswer: () => "unknown" as const };
    const { sends, isOver } = await deliver({ ...platform, throwsInternally: fails });
    expect(isOver).toBe(true);
    expect(sends.length).toBeLessThanOrEqual(mode === "native_key" || mode === "natural" ? 3 : 1);
  }
});

test.each([undefined, null, "no error object", Object.create(null)])(
  "an adapter that throws %o moves the message to review instead of repeating it",
  async (thrown) => {
    const throws = () => {
      throw thrown;
    };
    const platform: Platform = {
      mode: "none",
      policy: "review",
      outcome: () => "delivered",
      historyAnswer: () => "unknown",
      throws,
    };
    const { sends, last } = await deliver(platform);
    expect(sends).toHaveLength(1);
    expect(last).toMatchObject({ state: "dead", cause: "outcome_unknown" });
  },
);

test("a history that lists the message late is waited for, and the message is sent once", async () => {
  const historyAnswer = (n: number) => (n < 3 ? ("absent" as const) : ("delivered" as const));
  const { sends, queriedAtMs, last } = await deliver({
    mode: "reconcile",
    policy: "review",
    outcome: () => "ambiguous",
    historyAnswer,
  });
  expect(sends).toHaveLength(1);
  expect(queriedAtMs.map((at) => at - (queriedAtMs[0] ?? 0))).toEqual([0, 10_000, 20_000, 30_000]);
  expect(last).toMatchObject({ state: "delivered" });
});

test.each([
  ["review", "absent", 2],
  ["review", "unknown", 1],
  ["resend", "absent", 3],
  ["resend", "unknown", 3],
  ["drop", "absent", 1],
  ["drop", "unknown", 1],
] as const)(
  "with on_unknown %s and a history that answers %s, a message with an unknown outcome is sent %i times",
  async (policy, historyAnswer, times) => {
    const { sends, last } = await deliver({
      mode: "reconcile",
      policy,
      outcome: () => "ambiguous",
      historyAnswer: () => historyAnswer,
    });
    expect(sends).toHaveLength(times);
    for (const [index, { atMs }] of sends.entries()) {
      if (index > 0) expect(atMs - (sends[index - 1]?.atMs ?? 0)).toBeGreaterThanOrEqual(30_000);
    }
    expect(last).toMatchObject({ state: "dead", cause: "outcome_unknown", attempts: times });
  },
);

test("callers that wait for the last part get its status, even if the storage cannot be read", async () => {
  const queues = createDeliveryQueues();
  const delivery = createDelivery(0);
  queues.add([{ ...delivery, message: { ...delivery.message, part: 2, parts: 2 } }]);
  const { processNext, waitForEnd } = createDeliveryProcessor({
    store: { updateDelivery: async () => {}, listDeliveryStates: () => Promise.reject(new Error("the disk is full")) },
    queues,
    attempts: {
      attempt: async () => ({ change: { state: "delivered" }, isFinal: true, waitMs: 0 }),
      markStored: () => {},
      canSendNow: async () => false,
      approve: () => {},
      forget: () => {},
    },
    outcomePolicy: { logEvent: () => {} },
    clock: { monotonic: () => 0 },
    failPoint: () => {},
    recordMove: async () => {},
    countCancelled: () => {},
    wakeAll: () => {},
  });
  const ended = waitForEnd(delivery.id);
  await expect(processNext(toConversationKey(delivery))).rejects.toThrow("the disk is full");
  expect(await ended).toBe("delivered");
});
