import { setTimeout as wait } from "node:timers/promises";
import type { ModelServer, Platform } from "@parley/simulators";
import type { Client } from "../harness/http/client.ts";
import { findBurstProblems } from "./check-bursts.ts";
import { checkKillPoint, type Evidence, findProblems, type Kill, UNKNOWN_OUTCOME } from "./check-promises.ts";
import { findSentenceProblems } from "./check-sentences.ts";
import { KILL_POINTS } from "./kill-points.ts";
import { createKillableService, type KillableService } from "./killable-service.ts";
import { readNotes } from "./noting-tool.ts";
import { type MessageOutcome, readOutcomes, waitUntilSettled } from "./outcomes.ts";
import type { TorturedPlatform } from "./platforms.ts";
import { createText, readSubject, readUserText, startTorturedModel } from "./tortured-model.ts";

const CONVERSATIONS = 3;
const MESSAGES = 2;
const BURST_MESSAGES = 4;
const CONNECT_TIMEOUT_MS = 60_000;

export type Manner = "messages" | "bursts" | "sentences";

export interface TortureOptions {
  readonly platforms: readonly TorturedPlatform[];
  /** Kill points; default all. */
  readonly points?: readonly string[];
  /** Seeds per kill point; each has other faults, and a service with its own folder. */
  readonly seeds: readonly number[];
  /** Count of services that run at the same time. */
  readonly jobs?: number;
  /** `bursts`: people write several messages at once, and each burst gets one answer; `sentences`: answers have several parts. */
  readonly manner?: Manner;
  readonly tell?: (line: string) => void;
}

export interface TortureResult {
  readonly kills: number;
  readonly accepted: number;
  /** Count of messages that share the answer to a later one. */
  readonly merged: number;
  /** Count of parts of answers that were not sent, because the person wrote again. */
  readonly cancelled: number;
  /** Count of answers that may have arrived and were left to a person. */
  readonly unknownOutcomes: number;
  /** Count of answers that a platform rejected for good. */
  readonly rejected: number;
  /** Count of messages whose tool has an unknown outcome and was not repeated. */
  readonly unknownToolOutcomes: number;
  /** Faults of the platforms, by kind. */
  readonly faults: Readonly<Record<string, number>>;
  /** Broken promises. */
  readonly problems: readonly string[];
}

interface RunningPlatform extends TorturedPlatform {
  readonly platform: Platform<unknown>;
  /** All messages that people have sent. */
  readonly messages: string[];
  operate(): Promise<void>;
}

/**
 * Kills the service at each place while people write on every platform, restarts it, and checks its promises: no
 * accepted message is lost or stuck, nothing is answered or done twice, and order is preserved.
 */
export async function torture({ seeds, jobs = 1, ...options }: TortureOptions): Promise<TortureResult> {
  const left = [...seeds];
  const lives: TortureResult[] = [];
  const work = async () => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) lives.push(await runSeed(seed, options));
  };
  await Promise.all(Array.from({ length: Math.min(jobs, seeds.length) }, work));
  return lives.reduce(mergeResults);
}

async function runSeed(
  seed: number,
  { platforms, points = KILL_POINTS, tell = () => {}, manner = "messages" }: Omit<TortureOptions, "seeds" | "jobs">,
): Promise<TortureResult> {
  await using stack = new AsyncDisposableStack();
  const model = stack.use(await startTorturedModel(manner === "sentences"));
  const patients: RunningPlatform[] = [];
  stack.defer(async () => void (await Promise.all(patients.map(({ platform }) => platform[Symbol.asyncDispose]()))));
  const victim = stack.use(await createKillableService(platforms));
  await victim.start();
  const api = await victim.signIn();
  await useModel(api, model);
  for (const one of platforms)
    patients.push(await startPlatform(one, { seed, settings: createSettings(manner, seed) }, victim, api));
  const kills: Kill[] = [];
  let failure: string | undefined;
  try {
    for (const point of points) {
      const nth = 1 + ((seed + KILL_POINTS.indexOf(point as (typeof KILL_POINTS)[number])) % 3);
      const began = performance.now();
      kills.push(
        await killAndRestart({
          ...{ victim, patients, model, manner },
          place: `${point}@${nth}`,
          round: `${point} ${seed} `,
        }),
      );
      tell(`seed ${seed}, ${point}@${nth}: killed, started, settled in ${Math.round(performance.now() - began)} ms`);
    }
  } catch (error) {
    failure = `seed ${seed}, after ${kills.length} kills: ${(error as Error).stack}`;
  }
  const evidence: Evidence = {
    kills,
    noted: readNotes(victim.notes),
    asked: model.requests.map((request) => readSubject(readUserText(request))),
  };
  const outcomes = await readOutcomes(victim.root);
  const result = judge(manner, patients, outcomes, evidence);
  // A run that did not finish is not judged.
  const problems = failure === undefined ? result.problems : [failure];
  tell(`seed ${seed}: ${kills.length} kills, ${outcomes.length} messages, ${problems.length} problems`);
  if (problems.length === 0) return result;
  victim.keepFolder();
  return { ...result, problems: [...problems, `seed ${seed}: everything is in ${victim.root}`] };
}

interface Round {
  readonly victim: KillableService;
  readonly patients: readonly RunningPlatform[];
  readonly model: ModelServer;
  readonly manner: Manner;
  readonly place: string;
  readonly round: string;
}

async function killAndRestart({ victim, patients, model, manner, place, round }: Round): Promise<Kill> {
  victim.setFailPoint(place);
  const write = manner === "bursts" ? writeBursts : talk;
  const talking = Promise.all(patients.map((patient) => write(patient, round)));
  // Awaited only after the restart, so a rejection before must not count as unhandled.
  talking.catch(() => undefined);
  const operate = () => Promise.all(patients.map((patient) => patient.operate()));
  // The service may die before it answers the operator.
  const operating = operate().catch(() => undefined);
  await victim.waitForDeath();
  await operating;
  const kill = { point: place.replace(/@.*/, ""), round, asked: model.requests.length };
  await victim.start();
  await operate();
  await talking;
  const reliable = patients.filter(({ mayLose }) => !mayLose);
  await waitUntilSettled(
    victim.root,
    reliable.flatMap(({ messages }) => messages),
  );
  return kill;
}

/** Returns the settings of a conversation, in which two manners of bursts take turns. */
function createSettings(manner: Manner, seed: number): object {
  if (manner === "sentences") return { burst: "off", reply_style: "sentences" };
  return manner === "bursts" ? { burst: seed % 2 === 0 ? "interrupt" : "wait", burst_ms: 300 } : { burst: "off" };
}

async function useModel(api: Client, { baseUrl }: ModelServer): Promise<void> {
  const { id } = await api.post<{ id: string }>("/api/ai-models", {
    name: "tortured",
    model: "tortured",
    base_url: baseUrl,
    api_key: "sk-tortured",
    retry_count: 0,
  });
  await api.post(`/api/ai-models/${id}/apply`, {});
}

async function startPlatform(
  one: TorturedPlatform,
  { seed, settings: own }: { readonly seed: number; readonly settings: object },
  victim: KillableService,
  api: Client,
): Promise<RunningPlatform> {
  const { type, transport } = one;
  const id = channelId(one);
  const { platform, config, operate } = await one.start({
    seed,
    webhook: `${victim.address}/api/gateway/${id}/webhook`,
  });
  const settings = { config: { ...config, ...own }, capabilities: { supports_tools: true } };
  if (one.isBuiltIn) {
    await api.put(`/api/channels/${id}`, settings);
    await api.post(`/api/channels/${id}/toggle`, { enabled: true });
  } else await api.post("/api/channels", { id, name: type, type, transport, ...settings });
  for (const from = performance.now(); !(await isConnected(id, api)); await wait(25)) {
    if (performance.now() - from > CONNECT_TIMEOUT_MS) throw new Error(`the channel ${id} does not connect`);
  }
  return { ...one, platform, messages: [], operate: async () => operate?.(api, id) };
}

async function isConnected(id: string, api: Client): Promise<boolean> {
  type Channels = {
    readonly items: readonly { readonly id: string; readonly status: { readonly connected: boolean } }[];
  };
  const { items } = await api.get<Channels>("/api/channels");
  return items.find((row) => row.id === id)?.status.connected === true;
}

function channelId({ type, name = type, isBuiltIn }: TorturedPlatform): string {
  return isBuiltIn ? type : `${name}_t`;
}

/** Sends messages of people in all conversations at once, one after another in each; the tool notes the first one. */
async function talk({ platform, conversation, messages }: RunningPlatform, round: string): Promise<void> {
  const one = async (number: number) => {
    const id = conversation(number);
    for (let message = 0; message < MESSAGES; message += 1) {
      const text = createText(`${round}${id} ${message}`, message === 0);
      messages.push(text);
      await platform.say(id, text);
    }
  };
  await Promise.all(Array.from({ length: CONVERSATIONS }, (_, number) => one(number)));
}

/** Sends several messages at once in each conversation, twice. */
async function writeBursts({ platform, conversation, messages }: RunningPlatform, round: string): Promise<void> {
  const one = async (number: number) => {
    const id = conversation(number);
    for (let burst = 0; burst < MESSAGES; burst += 1) {
      const texts = Array.from({ length: BURST_MESSAGES }, (_, at) =>
        createText(`${round}${id} ${burst}.${at}`, burst === 0 && at === BURST_MESSAGES - 1),
      );
      messages.push(...texts);
      await Promise.all(texts.map((text) => platform.say(id, text)));
    }
  };
  await Promise.all(Array.from({ length: CONVERSATIONS }, (_, number) => one(number)));
}

function judge(
  manner: Manner,
  patients: readonly RunningPlatform[],
  outcomes: readonly MessageOutcome[],
  evidence: Evidence,
): TortureResult {
  const counts = countOutcomes(outcomes, evidence.kills);
  if (manner === "bursts") return { ...counts, problems: findBurstProblems(outcomes) };
  if (manner === "messages") return judgeRun(patients, outcomes, evidence);
  const problems = patients.flatMap((patient) => {
    const own = outcomes.filter(({ channel }) => channel === channelId(patient));
    return findSentenceProblems(patient, own);
  });
  return { ...counts, problems };
}

function judgeRun(
  patients: readonly RunningPlatform[],
  outcomes: readonly MessageOutcome[],
  evidence: Evidence,
): TortureResult {
  const problems = patients.flatMap((patient) => {
    const own = outcomes.filter(({ channel }) => channel === channelId(patient));
    return findProblems(patient, own, evidence);
  });
  const places = evidence.kills.flatMap((kill) => checkKillPoint(kill, outcomes, evidence));
  const faults: Record<string, number> = {};
  for (const { kind } of patients.flatMap(({ platform }) => platform.injected)) faults[kind] = (faults[kind] ?? 0) + 1;
  return { ...countOutcomes(outcomes, evidence.kills), faults, problems: [...problems, ...places] };
}

function countOutcomes(outcomes: readonly MessageOutcome[], kills: readonly Kill[]): Omit<TortureResult, "problems"> {
  const answers = outcomes.flatMap((outcome) => outcome.answers);
  const dead = answers.filter(({ state }) => state === "dead");
  const unknownCount = dead.filter(({ cause }) => cause === "outcome_unknown").length;
  return {
    kills: kills.length,
    accepted: outcomes.length,
    merged: outcomes.filter(({ answeredWith }) => answeredWith !== undefined).length,
    cancelled: answers.filter(({ state }) => state === "cancelled").length,
    unknownOutcomes: unknownCount,
    rejected: dead.length - unknownCount,
    unknownToolOutcomes: answers.filter(({ text }) => text.includes(UNKNOWN_OUTCOME)).length,
    faults: {},
  };
}

function mergeResults(one: TortureResult, other: TortureResult): TortureResult {
  const faults: Record<string, number> = { ...one.faults };
  for (const [kind, count] of Object.entries(other.faults)) faults[kind] = (faults[kind] ?? 0) + count;
  return {
    kills: one.kills + other.kills,
    accepted: one.accepted + other.accepted,
    merged: one.merged + other.merged,
    cancelled: one.cancelled + other.cancelled,
    unknownOutcomes: one.unknownOutcomes + other.unknownOutcomes,
    rejected: one.rejected + other.rejected,
    unknownToolOutcomes: one.unknownToolOutcomes + other.unknownToolOutcomes,
    faults,
    problems: [...one.problems, ...other.problems],
  };
}
