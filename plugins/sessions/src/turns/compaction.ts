import Joi from "@hapi/joi";
import {
  estimateTokens,
  type JobKind,
  jobKind,
  type Message,
  type SettingDefinition,
  setting,
  type Turn,
  type TurnStage,
  turnData,
  withEffects,
} from "@parley/core";
import { planFold, summarizeFold, writeFold } from "../conversations/fold-messages.ts";
import type { SessionDeps } from "../session-deps.ts";
import { HISTORY_LIMIT } from "./turn-stages.ts";

/** Setting to fold old messages into a summary before the context of the model is full. */
export const COMPACTION: SettingDefinition<boolean> = setting({
  key: "context.compaction",
  schema: Joi.boolean().strict().default(true),
  group: "answering",
  title: { en: "Summarise long conversations", zh: "自动总结长会话" },
  help: {
    en: "Before the context of the model is full, the older half becomes a summary. The messages stay readable and can be brought back.",
    zh: "在模型上下文占满之前，将较早的一半消息总结为摘要；原消息仍可查看，也可恢复。",
  },
});

/** Setting of the share of the context from which on messages are folded. */
export const COMPACT_AT: SettingDefinition<number> = setting({
  key: "context.compact_at",
  schema: Joi.number().min(0.5).max(0.95).strict().default(0.8),
  group: "answering",
  title: { en: "Summarise at this share of the context", zh: "达到上下文的此比例时总结" },
  help: {
    en: "0.5 to 0.95 of what the model can read beside its answer.",
    zh: "模型除回答外可读内容的 0.5 至 0.95。",
  },
});

const COMPACT_JOB = "sessions.compact";
/** A conversation of fewer messages is not folded, however long they are. */
const MIN_MESSAGES = 10;
const MIN_REMAINING = 4;
const MESSAGE_OVERHEAD = 4;
/** Share of the context that a summary may fill, and the number of characters of a token. */
const SUMMARY_SHARE = 0.15;
const CHARS_PER_TOKEN = 3;
const SUMMARY_CHARS = { min: 2_000, max: 12_000 };

interface CompactPayload {
  readonly session_id: string;
  /** Tokens of the newest messages that stay. */
  readonly keep_tokens: number;
  readonly max_chars: number;
}

/** Tokens of the turn's prompt, from plugin-chat. */
const PROMPT_SIZE = turnData<{ readonly room: number; readonly fixed: number; readonly talk: number }>("chat.prompt");

/** Creates the stage that plans a summary when the context is nearly full. The summary is written by a job, so no answer waits for it. */
export function createCompactStage({ settings, jobs }: SessionDeps): TurnStage {
  return {
    id: "sessions.compact",
    phase: "after",
    concerns: (turn) => {
      const { session, history } = turn;
      const isLong = history.length >= MIN_MESSAGES && PROMPT_SIZE.of(turn) !== undefined;
      return isLong && !session.is_temporary && settings.get(COMPACTION);
    },
    async run(turn) {
      const payload = planCompaction(turn, settings.get(COMPACT_AT));
      if (!payload) return turn;
      const { session, traceId } = turn;
      return withEffects(turn, jobs().effect(COMPACT_JOB, payload, { key: `${session.id}:${traceId}`, traceId }));
    },
  };
}

function planCompaction(turn: Turn, compactAt: number): CompactPayload | undefined {
  const { session, recorded = [] } = turn;
  const { room = 0, fixed = 0, talk = 0 } = PROMPT_SIZE.of(turn) ?? {};
  const limit = room * compactAt;
  const talkTokens = recorded.reduce((sum, message) => sum + countTokens(message), talk);
  if (fixed + talkTokens <= limit && session.message_count <= HISTORY_LIMIT) return undefined;
  return {
    session_id: session.id,
    keep_tokens: Math.round(Math.max((limit - fixed) / 2, limit / 10)),
    max_chars: Math.round(clamp(room * SUMMARY_SHARE * CHARS_PER_TOKEN, SUMMARY_CHARS)),
  };
}

/** Creates the job that folds the older messages of a conversation into a summary. */
export function createCompactJob(deps: SessionDeps): JobKind {
  return jobKind<CompactPayload>({
    kind: COMPACT_JOB,
    titles: { en: "Summarise a long conversation", zh: "总结长会话" },
    schema: Joi.object<CompactPayload, true>({
      session_id: Joi.string().required(),
      keep_tokens: Joi.number().integer().min(0).required(),
      max_chars: Joi.number().integer().min(1).required(),
    }),
    // One at a time, because two turns of a conversation may both have planned one.
    concurrency: 1,
    retry: { attempts: 5, firstDelayMs: 2_000, maxDelayMs: 300_000 },
    async run({ session_id: id, keep_tokens, max_chars }, { signal }): Promise<undefined> {
      const session = await deps.sessions.find(id);
      if (!session) return;
      const fold = planFold(await deps.messages.liveFrom(id, 0), (all) => toKeepCount(all, keep_tokens));
      if (fold.toArchive.length < 2) return;
      const text = await summarizeFold(deps, session, fold, { maxChars: max_chars, signal });
      await writeFold(deps, session, fold, text);
    },
  });
}

/** Returns how many of the newest messages stay: those that fit, from the beginning of a turn on. */
function toKeepCount(conversation: readonly Message[], keepTokens: number): number {
  let left = keepTokens;
  let first = conversation.length;
  while (first > 0) {
    left -= countTokens(conversation[first - 1]);
    const count = conversation.length - first;
    if (count >= MIN_REMAINING && (left < 0 || count >= HISTORY_LIMIT / 2)) break;
    first -= 1;
  }
  while (first > 0 && conversation[first]?.role === "assistant") first -= 1;
  return conversation.length - first;
}

function countTokens(message: Message | undefined): number {
  return estimateTokens(message?.content ?? "") + MESSAGE_OVERHEAD;
}

function clamp(value: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.min(max, Math.max(min, value));
}
