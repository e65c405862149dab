import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { type ModelRequest, type ModelServer, startModelServer } from "@parley/simulators";
import { type Ask, createService, type TorturedService } from "./service.ts";
import { judgeConversations, type TortureReport, toAnswerText } from "./torture-report.ts";

/** The platform, which continues while the service is killed. The simulators of `@parley/simulators` are such platforms. */
export interface TorturedPlatform extends AsyncDisposable {
  /** Sends a message to the bot; resolves once the service has accepted it. Retries until then, as the platform would. */
  say(conversation: string, text: string): Promise<void>;
  /** Returns the bot's texts in a conversation, oldest first; recognized duplicates count once. */
  shown(conversation: string): readonly string[];
}

/** The tested adapter and its platform. */
export interface TortureOptions {
  /** Enabled plugins in config.ini: plugin id → a package or a file, such as the package's own `src/index.ts`. */
  readonly plugins: Readonly<Record<string, string>>;
  /** The channel's `type`. */
  readonly type: string;
  /** Environment variables of the service, such as secrets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ids of conversations as the platform writes them; default `ann`, `bob` and `eve`. */
  readonly conversations?: readonly string[];
  /** Starts the platform and returns the channel's settings with it. It may post to `webhook`, which stays the same after each kill. */
  start(service: {
    readonly webhook: string;
    readonly seed: number;
  }): Promise<{ readonly platform: TorturedPlatform; readonly config: object }>;
  /** Seed; the same seed kills at the same places. Default 1. */
  readonly seed?: number;
  /** Count of kills; default 6. Every place is used once before one repeats. */
  readonly kills?: number;
  /** Program and first arguments of the service. Default: those of the installed `@parley/server`. */
  readonly command?: readonly string[];
}

/** Kill point right after the acknowledgement to the platform; not a fail point of the service. */
const AFTER_ACKNOWLEDGEMENT = "taken";
/** Fail points that a message passes on its way in, through a turn and out. */
const KILL_POINTS = [
  "verified",
  "committed-inbox",
  "acked",
  AFTER_ACKNOWLEDGEMENT,
  "leased",
  "model-done",
  "reply-recorded",
  "intent-written",
  "sending",
  "sent",
  "receipt-read",
  "receipt-written",
] as const;
const CHANNEL = "tortured";
/** Messages in each conversation per kill. */
const MESSAGES_PER_KILL = 2;
const SETTLE_TIMEOUT_MS = 120_000;
/** Time by which messages of a polled platform have arrived. */
const IDLE_AFTER_MS = 10_000;
const ARRIVAL_TIMEOUT_MS = 5_000;
const POLL_EVERY_MS = 50;

/**
 * Starts the service with an adapter, sends messages on its platform, kills the service (SIGKILL) while one is in
 * flight, restarts it, and returns the outcome of all messages. A good adapter loses none, answers none twice, and
 * keeps the order. Takes about half a minute; throws when the service does not start, or does not finish its work.
 */
export async function tortureAdapter(options: TortureOptions): Promise<TortureReport> {
  const { seed = 1, kills = 6, conversations = ["ann", "bob", "eve"], plugins, env = {}, command } = options;
  await using disposables = new AsyncDisposableStack();
  const model = disposables.use(
    await startModelServer({ answer: ({ body }) => ({ kind: "text", text: repeatQuestion(body) }) }),
  );
  const service = disposables.use(await createService({ plugins, env, command }));
  const webhook = `${service.address}/api/gateway/${CHANNEL}/webhook`;
  const { platform, config } = await options.start({ webhook, seed });
  disposables.use(platform);
  await service.start();
  const ask = await service.signIn();
  await prepare(ask, model, { type: options.type, config });
  const talks = conversations.map((conversation, at): Speaker => ({ conversation, at, said: [] }));
  const places = drawKillPoints(seed, kills);
  for (const { place, nth } of places) {
    let taken = 0;
    const isTaken = () => {
      taken += 1;
      if (place === AFTER_ACKNOWLEDGEMENT && taken === nth) service.kill();
    };
    if (place !== AFTER_ACKNOWLEDGEMENT) service.aim(place, nth);
    await killDuringTalk(service, Promise.all(talks.map((one) => talk(one, platform, isTaken))));
  }
  await waitUntilSettled(ask, talks.flatMap(({ said }) => said).length);
  const unknownOutcomes = await listUnknownOutcomes(ask);
  const shown = () => talks.map(({ conversation, said }) => ({ said, shown: platform.shown(conversation) }));
  await waitUntilArrived(() => judgeConversations(shown(), unknownOutcomes).lost.length === 0);
  return {
    seed,
    kills: places.map(({ place, nth }) => `${place}@${nth}`),
    ...judgeConversations(shown(), unknownOutcomes),
  };
}

interface Speaker {
  readonly conversation: string;
  readonly at: number;
  readonly said: string[];
}

/** Sends messages in all conversations at once, one after another in each. */
async function talk(
  { conversation, at, said }: Speaker,
  platform: TorturedPlatform,
  isTaken: () => void,
): Promise<void> {
  for (let message = 0; message < MESSAGES_PER_KILL; message += 1) {
    const text = `question ${at}.${said.length}`;
    said.push(text);
    await platform.say(conversation, text);
    isTaken();
  }
}

async function killDuringTalk(service: TorturedService, talking: Promise<unknown>): Promise<void> {
  // A message only fails when it is rejected for good; the kill point might then never be reached.
  await Promise.race([service.died(), talking.then(() => service.died())]);
  await service.start();
  await talking;
}

function repeatQuestion({ messages }: ModelRequest["body"]): string {
  const asked = JSON.stringify(messages.findLast(({ role }) => role === "user")?.content);
  return toAnswerText(/question \d+\.\d+/.exec(asked)?.[0] ?? asked);
}

async function prepare(ask: Ask, { baseUrl }: ModelServer, channel: { type: string; config: object }): Promise<void> {
  const model = { name: CHANNEL, model: CHANNEL, base_url: baseUrl, api_key: "sk-tortured", retry_count: 0 };
  const { id } = await ask<{ id: string }>("POST", "/api/ai-models", model);
  await ask("POST", `/api/ai-models/${id}/apply`, {});
  await ask("POST", "/api/channels", { id: CHANNEL, name: CHANNEL, ...channel });
}

/** Draws the kill points, deterministic by seed: each once in random order, then all again. */
function drawKillPoints(seed: number, kills: number): readonly { readonly place: string; readonly nth: number }[] {
  const drawn = (what: string) => createHash("sha256").update(`${seed} ${what}`).digest().readUInt32BE();
  return Array.from({ length: kills }, (_, at) => {
    const round = Math.floor(at / KILL_POINTS.length);
    const order = KILL_POINTS.toSorted((a, b) => drawn(`${a} ${round}`) - drawn(`${b} ${round}`));
    return { place: order[at % KILL_POINTS.length] ?? "sending", nth: 1 + (drawn(`nth ${at}`) % 3) };
  });
}

interface Stats {
  readonly queue: Readonly<Record<"pending" | "processing" | "completed" | "failed" | "dead", number>>;
  readonly deliveries: { readonly by_status: Readonly<Record<string, number>> };
}

const FINAL_STATES = ["delivered", "dead", "expired"];

/** Resolves when the service is idle and has processed all messages, or when no more have arrived for a while, because some are lost. */
async function waitUntilSettled(ask: Ask, count: number): Promise<void> {
  let before = "";
  let since = performance.now();
  const look = async () => {
    const { queue, deliveries } = await ask<Stats>("GET", "/api/gateway/stats");
    const now = JSON.stringify({ queue, deliveries: deliveries.by_status });
    if (now !== before) since = performance.now();
    before = now;
    const isSending = Object.entries(deliveries.by_status).some(
      ([state, some]) => some > 0 && !FINAL_STATES.includes(state),
    );
    if (isSending || queue.pending + queue.processing > 0) return now;
    const isAll = queue.completed + queue.failed + queue.dead >= count;
    return isAll || performance.now() - since > IDLE_AFTER_MS ? undefined : now;
  };
  const left = await pollUntil(SETTLE_TIMEOUT_MS, look);
  if (left !== undefined) throw new Error(`of ${count} messages some stay undone: ${left}`);
}

/** Waits until sent messages have arrived. */
async function waitUntilArrived(isAll: () => boolean): Promise<void> {
  await pollUntil(ARRIVAL_TIMEOUT_MS, async () => (isAll() ? undefined : false));
}

/** Polls until nothing is left; returns the rest at the timeout. */
async function pollUntil<Left>(withinMs: number, look: () => Promise<Left | undefined>): Promise<Left | undefined> {
  for (const until = performance.now() + withinMs; ; await wait(POLL_EVERY_MS)) {
    const left = await look();
    if (left === undefined || performance.now() > until) return left;
  }
}

/** Returns the texts of replies with an unknown outcome that wait for a person. */
async function listUnknownOutcomes(ask: Ask): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let total = 1; texts.length < total; ) {
    const path = `/api/gateway/dead-letters?cause=outcome_unknown&offset=${texts.length}`;
    const page = await ask<{ items: readonly { preview: string }[]; total: number }>("GET", path);
    texts.push(...page.items.map(({ preview }) => preview));
    total = page.items.length === 0 ? 0 : page.total;
  }
  return texts;
}
