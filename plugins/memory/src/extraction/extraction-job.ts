import Joi from "@hapi/joi";
import {
  AppError,
  type Channels,
  type Clock,
  type Effect,
  type FollowUps,
  findChannelTimeZone,
  isKnownTo,
  type JobContext,
  type JobKind,
  type Jobs,
  jobKind,
  localizeMessage,
  type Message,
  type ModelCalls,
  type People,
  type Session,
  type Sessions,
  senderAddress,
  type Turn,
  toLocalized,
} from "@parley/core";
import { EXTRACTION_MODE, isMemoryEnabled, type MemorySwitchDeps } from "../settings.ts";
import type { MemoryIndex } from "../store/memory-index.ts";
import type { MemoryStore } from "../store/memory-store.ts";
import { memoryTexts } from "../texts.ts";
import { findFollowUps } from "./follow-ups.ts";
import { extractLocally, mentionsSelf } from "./local-facts.ts";
import type { MemoryWriter } from "./memory-writer.ts";
import { type ExtractedFacts, extractWithModel } from "./model-facts.ts";
import { replaceRelativeDates } from "./relative-dates.ts";

export const EXTRACT_MEMORIES = "memory.find";

const CONTEXT_MESSAGES = 6;
const MAX_KNOWN = 20;
const MIN_MESSAGE_CHARS = 3;
const RETRY = { attempts: 4, firstDelayMs: 5_000, maxDelayMs: 300_000 };

interface ExtractionPayload {
  readonly session_id: string;
  readonly message_id: string;
  readonly target_id: string;
  readonly character_id: string | null;
  readonly trace_id: string;
}

export interface ExtractionDeps extends MemorySwitchDeps {
  readonly store: MemoryStore;
  readonly index: MemoryIndex;
  readonly remember: MemoryWriter;
  readonly people: () => People | undefined;
  readonly sessions: () => Sessions;
  readonly calls: () => ModelCalls | undefined;
  readonly channels: () => Pick<Channels, "get"> | undefined;
  readonly followUps: () => FollowUps | undefined;
  readonly clock: Clock;
}

export type TimeZoneDeps = Pick<ExtractionDeps, "channels" | "settings">;

/** Creates the job that extracts memories about the author of a message; once per message, even after a crash. */
export function createExtractionJob(deps: ExtractionDeps): JobKind {
  return jobKind<ExtractionPayload>({
    kind: EXTRACT_MEMORIES,
    titles: { en: "Extract memories", zh: "提取记忆" },
    schema: Joi.object<ExtractionPayload>({
      session_id: Joi.string().required(),
      message_id: Joi.string().required(),
      target_id: Joi.string().required(),
      character_id: Joi.string().allow(null).required(),
      trace_id: Joi.string().required(),
    }),
    retry: RETRY,
    // Jobs are sequential, so that two messages about one thing are processed in order.
    concurrency: 1,
    timeoutMs: 120_000,
    run: (order, context) => extractMemories(deps, order, context),
  });
}

/** Creates the effect that adds the extraction job with the answer; a changed message gets another job. */
export function createExtractionEffect(
  jobs: Jobs,
  { session, inbound, traceId }: Turn,
  { id, revision }: Message,
): Effect {
  const order: ExtractionPayload = {
    session_id: session.id,
    message_id: id,
    target_id: senderAddress(inbound),
    character_id: session.character_id,
    trace_id: traceId,
  };
  return jobs.effect(EXTRACT_MEMORIES, order, { key: `${id}:${revision}`, traceId, priority: -20 });
}

async function extractMemories(
  deps: ExtractionDeps,
  order: ExtractionPayload,
  context: JobContext,
): Promise<readonly Effect[]> {
  const { store, remember, sessions } = deps;
  const [message] = await sessions().messagesById([order.message_id]);
  const session = await sessions().find(order.session_id);
  if (!message || !session || message.role !== "user" || message.content.trim().length < MIN_MESSAGE_CHARS) return [];
  if (!(await isMemoryEnabled(deps)) || (await store.findByMessages([message.id])).length > 0) return [];
  const sentAtMs = Date.parse(message.timestamp);
  const timeZone = resolveTimeZone(deps, session);
  const found = await findCandidates(deps, order, { session, message, messageAt: sentAtMs, timeZone }, context);
  const { candidates } = found;
  const datedCandidates = candidates.map((one) => ({
    ...one,
    content: replaceRelativeDates(one.content, sentAtMs, timeZone),
  }));
  const { stored, writes, applied } = await remember.storeWrites(datedCandidates, {
    target_id: order.target_id,
    character_id: order.character_id,
    session_id: session.id,
    message_id: message.id,
    source_turn_id: order.trace_id,
    source: "ai",
    said_at: message.timestamp,
  });
  context.log(memoryTexts.message("were_new", { count: stored.length, found: candidates.length }));
  const followUps = deps.followUps()?.plan(session, message.id, found.followUps) ?? [];
  return [...(writes.length === 0 ? [] : [{ writes, applied }]), ...followUps];
}

interface MessageContext {
  readonly session: Session;
  readonly message: Message;
  readonly messageAt: number;
  readonly timeZone: string;
}

async function findCandidates(
  deps: ExtractionDeps,
  order: ExtractionPayload,
  material: MessageContext,
  { signal, attempt, log }: JobContext,
): Promise<ExtractedFacts> {
  const { message, session, messageAt, timeZone } = material;
  const calls = await findReader(deps, session);
  const findLocally = () => ({
    candidates: extractLocally(message.content),
    followUps: findFollowUps(message.content, messageAt, timeZone),
  });
  if (!calls || !mentionsSelf(message.content)) return findLocally();
  const knownMemories = await findKnown(deps, order, message, signal);
  const page = await deps
    .sessions()
    .messages(session.id, { before: message.id, order: "desc", limit: CONTEXT_MESSAGES, offset: 0 });
  const isKnown = (one: Message) => one.kind === "normal" && isKnownTo(session, order.character_id, one);
  const before = page.items.filter(isKnown).toReversed();
  const name = message.sender || "the user";
  try {
    return await extractWithModel(calls, {
      ...material,
      name,
      before,
      known: knownMemories,
      traceId: order.trace_id,
      signal,
    });
  } catch (error) {
    if (signal.aborted || attempt < RETRY.attempts) throw error;
    const reason = AppError.is(error) ? toLocalized(error) : localizeMessage((error as Error).message);
    log(memoryTexts.message("by_form", { reason }));
    return findLocally();
  }
}

/** Returns the model calls for extraction; undefined when it is set to `local` or only the offline model is there. */
async function findReader(
  { models, calls, settings }: ExtractionDeps,
  session: Session,
): Promise<ModelCalls | undefined> {
  if (settings().get(EXTRACTION_MODE) === "local") return undefined;
  const model = await models()?.choose("chat", session.model_id);
  return model && model.protocol !== "offline" ? calls() : undefined;
}

/** Finds memories related to the message. */
async function findKnown(
  { store, index, people }: ExtractionDeps,
  { target_id, character_id }: ExtractionPayload,
  message: Message,
  signal: AbortSignal,
) {
  const addresses = (await people()?.addressesOf(target_id)) ?? [target_id];
  const hits = await index.search(message.content, { addresses, characterId: character_id }, MAX_KNOWN, signal);
  return (await store.findMany([...hits.keys()])).filter(
    (one) => one.target_id !== null && one.character_id === character_id && one.replaced_by === null,
  );
}

/** Returns the session's own time zone, else that of its channel. */
export function resolveTimeZone(
  { channels, settings }: TimeZoneDeps,
  { metadata, channel_id }: Pick<Session, "metadata" | "channel_id">,
): string {
  const sessionTimeZone = metadata?.timezone;
  if (typeof sessionTimeZone === "string" && isTimeZone(sessionTimeZone)) return sessionTimeZone;
  return findChannelTimeZone(channels()?.get(channel_id), settings());
}

function isTimeZone(name: string): boolean {
  return name === "UTC" || Intl.supportedValuesOf("timeZone").includes(name);
}
