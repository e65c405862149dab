import {
  AppError,
  deadline,
  estimateTokens,
  type ItemFailure,
  isConcerned,
  localizeMessage,
  type PromptPart,
  type PromptSource,
  type Turn,
  type TurnContext,
  type TurnStage,
  toItemFailure,
  toTraceMessage,
} from "@parley/core";
import { GENERAL_RULES } from "@parley/core/characters";
import { chatTexts } from "../texts.ts";
import { safetyLayer } from "./prompt-layers.ts";

export interface CollectPromptDeps {
  readonly sources: () => readonly PromptSource[];
  /** Timeout of one source in milliseconds. */
  readonly timeoutMs: number;
}

/** Creates the stage that collects all prompt sources in parallel; failed or slow ones are omitted. Traces included and omitted parts. */
export function createCollectPromptStage({ sources, timeoutMs }: CollectPromptDeps): TurnStage {
  return {
    id: "chat.collect-prompt",
    phase: "context",
    concerns: ({ replies }) => replies.length === 0,
    async run(turn, context) {
      using limit = deadline(timeoutMs, context.signal);
      const timedOut = rejectOnAbort(limit.signal);
      const collected = await Promise.all(
        sources().map((source): SourceResult | Promise<SourceResult> => {
          const waiting = { signal: limit.signal, late: timedOut };
          const skipReason = findSkipReason(source, turn);
          if (skipReason) return { source, why: skipReason };
          if (!takesPart(source, turn, context)) return { source, why: NOTHING };
          return collectOne(source, turn, context, waiting);
        }),
      );
      traceParts(collected, context);
      const found = applyAuthorRules(collected);
      return { ...turn, prompt: [...turn.prompt, ...found].sort((a, b) => a.priority - b.priority) };
    },
  };
}

/** Replaces the service's general rules by those of a character's author. */
function applyAuthorRules(collected: readonly SourceResult[]): readonly PromptPart[] {
  const all = collected.flatMap(({ parts = [] }) => parts);
  if (!all.some(({ replacesGeneralRules }) => replacesGeneralRules)) return all;
  const general = collected.flatMap(({ source, parts = [] }) => (source.isGeneral ? parts : []));
  const rules = general.map(({ text }) => text).join("\n");
  return all
    .filter((part) => !general.includes(part))
    .map((part) =>
      part.replacesGeneralRules ? { ...part, text: part.text.replaceAll(GENERAL_RULES, () => rules) } : part,
    );
}

/** Reason when a source has no text for the turn. */
const NOTHING = chatTexts.message("part_empty");
const SWITCHED_OFF = chatTexts.message("part_switched_off");
const NO_CHARACTER = chatTexts.message("part_no_character");

/** Result of one source: its parts, or the reason for none. */
interface SourceResult {
  readonly source: PromptSource;
  readonly parts?: readonly PromptPart[];
  readonly why?: ItemFailure;
}

const toKey = ({ key, id }: PromptSource): string => key ?? id;

function findSkipReason(source: PromptSource, { session }: Turn): ItemFailure | undefined {
  const key = toKey(source);
  if (source === safetyLayer) return undefined;
  if (session.session_mode === "plain" && key.startsWith("character.")) return NO_CHARACTER;
  return session.disabled_prompt_keys.includes(key) ? SWITCHED_OFF : undefined;
}

/** The time limit of all sources. */
interface TimeLimit {
  readonly signal: AbortSignal;
  /** Rejects when the time is over. */
  readonly late: Promise<never>;
}

/** True when a source takes part. One that cannot tell is asked, which reports its error. */
function takesPart(source: PromptSource, turn: Turn, context: TurnContext): boolean {
  try {
    return isConcerned(source, turn, context);
  } catch {
    return true;
  }
}

async function collectOne(
  source: PromptSource,
  turn: Turn,
  context: TurnContext,
  { signal, late: timedOut }: TimeLimit,
): Promise<SourceResult> {
  // The result is null instead of undefined, because recorded answers are plain JSON.
  const ask = async () => (await source.collect(turn, signal)) ?? null;
  const collecting = source.isExternal ? context.external({ kind: "prompt", name: source.id, ask }) : ask();
  try {
    const collectedParts = (await Promise.race([collecting, timedOut])) ?? [];
    const { priority, place } = source;
    const parts = [collectedParts]
      .flat()
      .filter(({ text }) => text.trim() !== "")
      .map((part) => ({ ...part, key: toKey(source), priority, place }));
    return parts.length === 0 ? { source, why: NOTHING } : { source, parts };
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    const why = AppError.is(error)
      ? toItemFailure(error)
      : { error: error instanceof Error ? error.message : String(error) };
    const message = chatTexts.message("trace_part_left_out", { why: localizeMessage(why.error, why.detail) });
    const metadata = { source: source.id, key: toKey(source) };
    context.trace({ status: "build_request_failed", ...toTraceMessage(message), metadata });
    return { source, why };
  }
}

function traceParts(collected: readonly SourceResult[], { trace }: TurnContext): void {
  const parts = collected.flatMap(({ source: { id, place, title }, parts: promptParts = [] }) =>
    promptParts.map(({ key, text }) => ({
      key,
      source: id,
      ...(title && { title }),
      place,
      length: text.length,
      tokens: estimateTokens(text),
    })),
  );
  const left_out = collected.flatMap(({ source, why }) => (why ? [toOmittedPart(source, why)] : []));
  const message = chatTexts.message("trace_prompt", { count: parts.length });
  trace({ status: "dispatched", ...toTraceMessage(message), metadata: { what: "prompt", parts, left_out } });
}

function toOmittedPart(source: PromptSource, { error: why, detail }: ItemFailure) {
  const { id, title } = source;
  return { key: toKey(source), source: id, ...(title && { title }), why, ...(detail && { detail }) };
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  // Prevents an unhandled rejection when the promise is not awaited.
  promise.catch(() => {});
  return promise;
}
