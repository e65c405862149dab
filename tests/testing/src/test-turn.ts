import type { Databases, InboundMessage, Session, Turn, TurnContext } from "@parley/core";

/** Properties of a turn in a test. */
export interface TestTurn extends Partial<Omit<Turn, "inbound" | "session">> {
  readonly inbound?: Partial<InboundMessage>;
  readonly session?: Partial<Session>;
}

/** Creates the initial state of a web console turn with the given properties. */
export function testTurn({ inbound = {}, session = {}, ...turn }: TestTurn = {}): Turn {
  const text = turn.text ?? inbound.text ?? "hello";
  return {
    traceId: "gw_20260106_101500_00000001",
    inbound: {
      channelId: "web",
      sessionId: "sess_1",
      conversation: { id: "sess_1", isGroup: false },
      kind: "message",
      sender: { id: "user_1", name: "Ann", isAdmin: true },
      text,
      attachments: [],
      addressed: true,
      source: "web",
      ...inbound,
    },
    session: { id: "sess_1", channel_id: "web", name: "New session", type: "web", ...session } as Session,
    capabilities: {
      supports_stream: true,
      supports_progress_updates: true,
      supports_file_send: true,
      supports_stop: true,
    },
    text,
    attachments: [],
    history: [],
    prompt: [],
    replies: [],
    filter: { rules: [], filtered: false, blocked: false },
    effects: [],
    data: {},
    ...turn,
  };
}

/** Creates a context that makes external calls, shows nothing, and records calls of `once`. */
export function testContext(change: Partial<TurnContext> = {}): TurnContext {
  const ledger = new Map<string, unknown>();
  return {
    signal: new AbortController().signal,
    isRepeated: false,
    emit() {},
    trace() {},
    record() {},
    async once<Result>(key: string, run: () => Promise<Result>) {
      if (!ledger.has(key)) ledger.set(key, await run());
      return ledger.get(key) as Result;
    },
    external: ({ ask }) => ask(),
    ...change,
  };
}

/**
 * Writes the effects of a turn as the service does at its end, and notifies them of the results. A turn that owes a
 * reply and has none writes only early ones.
 */
export async function applyEffects(turn: Turn, { main }: Pick<Databases, "main">): Promise<void> {
  const { kind, addressed } = turn.inbound;
  const isAsked = addressed && (kind === "message" || kind === "regenerate");
  const isAnswered = turn.replies.length > 0 && !turn.stopped;
  const effects = turn.effects.filter(({ isEarly }) => isEarly || isAnswered || !isAsked);
  const results = await main.write(effects.flatMap(({ writes }) => writes));
  let at = 0;
  for (const { writes, applied } of effects) {
    applied?.(results.slice(at, at + writes.length));
    at += writes.length;
  }
}
