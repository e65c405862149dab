import Joi from "@hapi/joi";
import {
  AppError,
  type Clock,
  type Effect,
  inBothLanguages,
  type JobContext,
  type JobKind,
  type Jobs,
  jobKind,
  type Message,
  type ModelCalls,
  type People,
  type Session,
  type Sessions,
  type Settings,
  saidOf,
  senderAddress,
  TIME_ZONE,
  type Turn,
} from "@parley/core";
import { type Finding, localFindings, tellsOfOneself } from "./local-facts.ts";
import type { MemoryIndex } from "./memory-index.ts";
import type { MemoryStore } from "./memory-store.ts";
import { modelFindings } from "./model-facts.ts";
import { withDates } from "./relative-dates.ts";
import type { Remember } from "./remember.ts";
import { memoryLine } from "./said-lines.ts";
import { FINDING, isOn, type SwitchParts } from "./settings.ts";

export const FIND = "memory.find";

const BEFORE = 6;
const KNOWN = 20;
const SHORTEST = 3;
const RETRY = { attempts: 4, firstDelayMs: 5_000, maxDelayMs: 300_000 };

interface Order {
  readonly session_id: string;
  readonly message_id: string;
  readonly target_id: string;
  readonly character_id: string | null;
  readonly trace_id: string;
}

export interface FindParts extends SwitchParts {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly remember: Remember;
  readonly people: () => People | undefined;
  readonly sessions: () => Sessions;
  readonly calls: () => ModelCalls | undefined;
  readonly clock: Clock;
}

/** The job in which what a message tells of its writer is found and kept: once for each message, wherever the process ends. */
export function findJob(parts: FindParts): JobKind {
  return jobKind<Order>({
    kind: FIND,
    titles: { en: "Extract memories", zh: "提取记忆" },
    schema: Joi.object<Order>({
      session_id: Joi.string().required(),
      message_id: Joi.string().required(),
      target_id: Joi.string().required(),
      character_id: Joi.string().allow(null).required(),
      trace_id: Joi.string().required(),
    }),
    retry: RETRY,
    // One after the other: what two messages say of one thing is put in order.
    concurrency: 1,
    timeoutMs: 120_000,
    run: (order, context) => find(parts, order, context),
  });
}

/** The job that is stored together with the answer to a message; a message that was changed is looked at again. */
export function findEffect(jobs: Jobs, { session, inbound, traceId }: Turn, { id, revision }: Message): Effect {
  const order: Order = {
    session_id: session.id,
    message_id: id,
    target_id: senderAddress(inbound),
    character_id: session.character_id,
    trace_id: traceId,
  };
  return jobs.effect(FIND, order, { key: `${id}:${revision}`, traceId, priority: -20 });
}

async function find(parts: FindParts, order: Order, context: JobContext): Promise<readonly Effect[]> {
  const { store, remember, sessions, settings } = parts;
  const [message] = await sessions().messagesById([order.message_id]);
  const session = await sessions().find(order.session_id);
  if (!message || !session || message.role !== "user" || message.content.trim().length < SHORTEST) return [];
  if (!(await isOn(parts)) || (await store.ofMessages([message.id])).length > 0) return [];
  const saidAt = Date.parse(message.timestamp);
  const timeZone = timeZoneOf(session, settings());
  const found = await findingsOf(parts, order, { session, message, saidAt, timeZone }, context);
  const dated = found.map((one) => ({ ...one, content: withDates(one.content, saidAt, timeZone) }));
  const { kept, writes, applied } = await remember.keeping(dated, {
    target_id: order.target_id,
    character_id: order.character_id,
    session_id: session.id,
    message_id: message.id,
    source_turn_id: order.trace_id,
    source: "ai",
    said_at: message.timestamp,
  });
  context.log(memoryLine("were_new", { count: kept.length, found: found.length }));
  return writes.length === 0 ? [] : [{ writes, applied }];
}

interface Material {
  readonly session: Session;
  readonly message: Message;
  readonly saidAt: number;
  readonly timeZone: string;
}

async function findingsOf(
  parts: FindParts,
  order: Order,
  material: Material,
  { signal, attempt, log }: JobContext,
): Promise<readonly Finding[]> {
  const { message, session } = material;
  const calls = await readerOf(parts, session);
  if (!calls || !tellsOfOneself(message.content)) return localFindings(message.content);
  const known = await knownOf(parts, order, message, signal);
  const page = await parts
    .sessions()
    .messages(session.id, { before: message.id, order: "desc", limit: BEFORE, offset: 0 });
  const before = page.items.filter(({ kind }) => kind === "normal").toReversed();
  const name = message.sender || "the user";
  try {
    return await modelFindings(calls, { ...material, name, before, known, traceId: order.trace_id, signal });
  } catch (error) {
    if (signal.aborted || attempt < RETRY.attempts) throw error;
    const why = AppError.is(error) ? saidOf(error) : inBothLanguages((error as Error).message);
    log(memoryLine("by_form", { reason: why }));
    return localFindings(message.content);
  }
}

/** Who reads messages; undefined where no model is that can. */
async function readerOf({ models, calls, settings }: FindParts, session: Session): Promise<ModelCalls | undefined> {
  if (settings().get(FINDING) === "local") return undefined;
  const model = await models()?.choose("chat", session.model_id);
  return model && model.protocol !== "offline" ? calls() : undefined;
}

/** What is remembered of the same matter. */
async function knownOf(
  { store, index, people }: FindParts,
  { target_id, character_id }: Order,
  message: Message,
  signal: AbortSignal,
) {
  const addresses = (await people()?.addressesOf(target_id)) ?? [target_id];
  const near = await index.search(message.content, { addresses, characterId: character_id }, KNOWN, signal);
  return (await store.among([...near.keys()])).filter(
    (one) => one.target_id !== null && one.character_id === character_id && one.replaced_by === null,
  );
}

/** Of the conversation, where it has one of its own. */
export function timeZoneOf({ metadata }: Pick<Session, "metadata">, settings: Settings): string {
  const own = metadata?.timezone;
  return typeof own === "string" && isTimeZone(own) ? own : settings.get(TIME_ZONE);
}

function isTimeZone(name: string): boolean {
  return name === "UTC" || Intl.supportedValuesOf("timeZone").includes(name);
}
