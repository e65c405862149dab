import type { PromptPart, TurnStage } from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";

const MAX_CACHED_SESSIONS = 200;

/** Keeps the last prompt of each session in memory, for debugging. */
export interface LastPrompts {
  readonly stage: TurnStage;
  get(sessionId: string): readonly PromptPart[];
}

export function createLastPrompts(): LastPrompts {
  const promptBySession = new Map<string, readonly PromptPart[]>();
  return {
    get: (sessionId) => promptBySession.get(sessionId) ?? [],
    stage: {
      id: "sessions.last-prompt",
      phase: "record-reply",
      usesStorage: true,
      async run(turn) {
        promptBySession.delete(turn.session.id);
        promptBySession.set(turn.session.id, turn.prompt);
        const [oldest] = promptBySession.keys();
        if (promptBySession.size > MAX_CACHED_SESSIONS && oldest !== undefined) promptBySession.delete(oldest);
        return turn;
      },
    },
  };
}

/** Returns the debug state of one session. */
export async function getDebugInfo(deps: SessionDeps, prompts: LastPrompts, idOrKey: string): Promise<object> {
  const { sessions, messages, gateway, channels } = deps;
  const session = await sessions.get(idOrKey);
  const running = gateway().running(session.id);
  const channel = channels()?.get(session.channel_id);
  const all = await messages.page(session, {
    order: "desc",
    limit: 50,
    offset: 0,
    include_hidden: true,
    include_system: true,
  });
  const last = all.items.find(
    ({ role, trace_id, metadata }) => role === "assistant" && trace_id !== null && metadata.sent_by_operator !== true,
  );
  const shown = await messages.page(session, {
    order: "desc",
    limit: 1,
    offset: 0,
    include_hidden: false,
    include_system: true,
  });
  return {
    session_id: session.id,
    key: session.key,
    in_memory: running !== undefined,
    stored: true,
    channel: channel ? { id: channel.id, type: channel.type, state: channel.enabled ? "running" : "disabled" } : null,
    counts: {
      messages: session.message_count,
      archived: session.archived_message_count,
      hidden: all.total - shown.total,
    },
    running: running ? [{ trace_id: running.traceId, started_at: running.startedAt, stage: running.stage }] : [],
    queued_turns: gateway().waiting(session.id),
    last_turn: last
      ? { trace_id: last.trace_id, model_id: last.model_id, duration_ms: null, usage: last.usage, error: last.error }
      : null,
    prompt_layers: prompts.get(session.id).map(({ key, priority, text, isData }) => ({
      key,
      priority,
      chars: text.length,
      source: isData ? "data" : "instructions",
      text,
    })),
    state_scope: session.key,
    subscribers: 0,
  };
}
