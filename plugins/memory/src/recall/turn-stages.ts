import {
  AppError,
  type Channels,
  type Clock,
  deadline,
  type Effect,
  GROUP_MEMORY,
  type Jobs,
  type Message,
  type People,
  type PromptSource,
  type Sessions,
  type Settings,
  senderAddress,
  type Turn,
  type TurnContext,
  type TurnStage,
  toLocalized,
  toTraceMessage,
  turnData,
  withEffects,
} from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import { createExtractionEffect, resolveTimeZone } from "../extraction/extraction-job.ts";
import { mayContainFacts } from "../extraction/local-facts.ts";
import type { MemoryWriter } from "../extraction/memory-writer.ts";
import { parseForgetRequest } from "../forget/forget-requests.ts";
import { isMemoryEnabled, type MemorySwitchDeps, RECALL_TOKENS } from "../settings.ts";
import type { Audience } from "../store/memory-store.ts";
import { memoryTexts } from "../texts.ts";
import { type RecallDeps, type RecalledMemory, recall, toPromptLine } from "./recall.ts";

export const MEMORIES_KEY = "character.memories";
const RECALL_TIMEOUT_MS = 3_000;
/** Queries shorter than this are combined with the previous message. */
const MIN_QUERY_CHARS = 20;
const MAX_REPLACED_MESSAGES = 500;
const MAX_TRACED_CHARS = 160;

/** Data that the stages of one turn share; other plugins show the ids. */
export interface MemoryTurnContext {
  readonly memory_ids: readonly string[];
  readonly text: string;
}
const MEMORY_TURN = turnData<MemoryTurnContext>("memory");

export interface TurnStagesDeps extends RecallDeps, MemorySwitchDeps {
  readonly people: () => People | undefined;
  readonly channels: () => Pick<Channels, "get"> | undefined;
  readonly sessions: () => Sessions;
  readonly jobs: () => Jobs | undefined;
  readonly remember: MemoryWriter;
  readonly clock: Clock;
}

/** Returns the audience of a turn's answer; it has no addresses for a group whose memory is off. */
export async function resolveAudience(
  { people }: Pick<TurnStagesDeps, "people">,
  { inbound, session }: Pick<Turn, "inbound" | "session">,
  groups: boolean,
): Promise<Audience> {
  const address = senderAddress(inbound);
  const characterId = session.character_id;
  // Everyone in a group reads the answer, so memories from elsewhere are excluded.
  if (inbound.conversation.isGroup && !groups) return { addresses: [], characterId };
  const addresses = (await people()?.addressesOf(address)) ?? [address];
  return { addresses, characterId, ...(inbound.conversation.isGroup && { groupId: session.id }) };
}

/** Creates the stage that recalls memories before the prompt is assembled. A failed search does not fail the answer. */
export function createRecallStage(deps: TurnStagesDeps): TurnStage {
  const { settings } = deps;
  return {
    id: "memory.recall",
    phase: "context",
    // Memories that are being forgotten are not recalled.
    after: ["memory.forget"],
    isExternal: true,
    concerns: (turn) =>
      deps.store.existence.isPossible() &&
      isConversationTurn(turn) &&
      !turn.session.disabled_prompt_keys?.includes(MEMORIES_KEY),
    async run(turn, context) {
      if (!(await isMemoryEnabled(deps))) return turn;
      using limit = deadline(RECALL_TIMEOUT_MS, context.signal);
      const timeZone = resolveTimeZone(deps, turn.session);
      let recalled: readonly RecalledMemory[] = [];
      const ask = async (): Promise<MemoryTurnContext> => {
        const found = await recall(deps, {
          text: toQuery(turn),
          audience: await resolveAudience(deps, turn, settings().get(GROUP_MEMORY)),
          maxTokens: settings().get(RECALL_TOKENS),
          timeZone,
          signal: limit.signal,
          ...(turn.userMessage && { exceptMessage: turn.userMessage.id }),
        });
        recalled = found;
        return {
          memory_ids: found.map(({ memory }) => memory.id),
          text: found.map((one) => toPromptLine(one, timeZone)).join("\n"),
        };
      };
      try {
        const note = await context.external({
          kind: "prompt",
          name: "memory.recall",
          ask: () => raceWithSignal(ask(), limit.signal),
        });
        if (note.memory_ids.length === 0) return turn;
        traceRecalled(recalled, context);
        return MEMORY_TURN.with(turn, note);
      } catch (error) {
        if (context.signal.aborted || !(AppError.is(error) || limit.signal.aborted)) throw error;
        const why = AppError.is(error) ? toLocalized(error) : (error as Error).message;
        context.trace({
          status: "build_request_failed",
          ...toTraceMessage(memoryTexts.message("trace_left_out", { why })),
        });
        return turn;
      }
    },
  };
}

function traceRecalled(recalled: readonly RecalledMemory[], { trace }: TurnContext): void {
  const memories = recalled.map(({ memory: { id, content }, score }) => ({
    id,
    score: Math.round(score * 100) / 100,
    text: content.slice(0, MAX_TRACED_CHARS),
  }));
  trace({
    status: "dispatched",
    ...toTraceMessage(memoryTexts.message("trace_recalled", { count: memories.length })),
    metadata: { what: "memory", memories },
  });
}

/** The part of the prompt with the recalled memories, which are not instructions. */
export const memoriesPrompt: PromptSource = {
  id: "memory.memories",
  key: MEMORIES_KEY,
  title: memoryTexts.localized("part_memories"),
  priority: 60,
  place: "before-user",
  concerns: isRecalled,
  collect: async (turn) => ({ text: MEMORY_TURN.of(turn)?.text ?? "", isData: true }),
};

export const instructionsPrompt: PromptSource = {
  id: "memory.using",
  key: MEMORIES_KEY,
  title: memoryTexts.localized("part_using"),
  priority: 59,
  place: "before-user",
  concerns: isRecalled,
  collect: async () => ({ text: INSTRUCTIONS, isData: false }),
};

function isRecalled(turn: Turn): boolean {
  return MEMORY_TURN.of(turn) !== undefined;
}

const INSTRUCTIONS = `The block "${MEMORIES_KEY}" holds what you remember of whoever writes now, each with the day it was said. Use what fits as somebody who knows them would; do not recite it, and where they say otherwise, what they say now is true.`;

/** Creates the stage that adds effects to the answer: recalls, extraction, and the reverts of a regeneration. */
export function createRememberStage(deps: TurnStagesDeps): TurnStage {
  const { store, remember, sessions, settings, jobs, clock } = deps;
  const listReplacedMessages = async ({ inbound, session, userMessage }: Turn): Promise<readonly string[]> => {
    if (inbound.kind !== "regenerate" || !userMessage) return [];
    const query = { after: userMessage.id, order: "asc", limit: MAX_REPLACED_MESSAGES, offset: 0 } as const;
    return (await sessions().messages(session.id, query)).items.map(({ id }: Message) => id);
  };
  const createExtraction = (turn: Turn): readonly Effect[] => {
    const availableJobs = jobs();
    if (!availableJobs || !turn.userMessage || !shouldExtract(turn, settings())) return [];
    return [createExtractionEffect(availableJobs, turn, turn.userMessage)];
  };
  return {
    id: "memory.remember",
    phase: "after",
    usesStorage: true,
    concerns: ({ inbound, session, recorded = [] }) =>
      inbound.addressed &&
      !session.is_temporary &&
      recorded.some(({ kind, content }) => kind === "normal" && content !== ""),
    async run(turn) {
      if (!(await isMemoryEnabled(deps))) return turn;
      const effects: Effect[] = [];
      const { memory_ids = [] } = MEMORY_TURN.of(turn) ?? {};
      if (memory_ids.length > 0) effects.push({ writes: [store.recalledWrite(memory_ids, clock.now())] });
      const recorded = new Set(turn.recorded?.map(({ id }) => id));
      const replaced = (await listReplacedMessages(turn)).filter((id) => !recorded.has(id));
      if (replaced.length > 0) effects.push(await remember.undoWrites(replaced));
      return withEffects(turn, ...effects, ...createExtraction(turn));
    },
    // A message that shares the answer to a later one is remembered as well.
    async unanswered(turn) {
      const isShared = turn.answeredWith !== undefined && !turn.session.is_temporary;
      return isShared && (await isMemoryEnabled(deps)) ? createExtraction(turn) : [];
    },
  };
}

/** True when a message to a character or the bot has no reply yet; false in plain sessions and for questions that only operators see. */
export function isConversationTurn({ session, inbound, replies }: Turn): boolean {
  const isAsked = inbound.addressed && (inbound.kind === "message" || inbound.kind === "regenerate");
  return isAsked && session.session_mode !== "plain" && replies.length === 0 && inbound.isOperatorOnly !== true;
}

/** True for what a person wrote in a conversation; instructions of the service are hidden. */
function shouldExtract(turn: Turn, settings: Settings): boolean {
  const { inbound, session, userMessage } = turn;
  const isRememberedHere = !inbound.conversation.isGroup || settings.get(GROUP_MEMORY);
  const isConversation =
    userMessage?.kind === "normal" &&
    !userMessage.hidden &&
    isConversationTurn({ ...turn, replies: [] }) &&
    session.type !== "workflow";
  return (
    isRememberedHere &&
    isConversation &&
    !parseForgetRequest(userMessage.content) &&
    mayContainFacts(userMessage.content)
  );
}

function toQuery({ text, history }: Turn): string {
  if (text.length >= MIN_QUERY_CHARS) return text;
  const before = history.filter(({ role }) => role === "user").at(-2);
  return before ? `${text}\n${before.content.slice(0, 500)}` : text;
}
