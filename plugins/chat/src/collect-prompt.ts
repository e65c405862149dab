import {
  PROMPT_LAYERS,
  type PromptPart,
  type PromptSource,
  type Turn,
  type TurnContext,
  type TurnStage,
} from "@parley/core";

export interface CollectPromptParts {
  readonly sources: () => readonly PromptSource[];
  /** How long one source may take. */
  readonly timeoutMs: number;
}

/** Asks all sources of the prompt at once; one that fails or is slow is left out and traced. */
export function collectPromptStage({ sources, timeoutMs }: CollectPromptParts): TurnStage {
  return {
    id: "chat.collect-prompt",
    phase: "context",
    async run(turn, context) {
      if (turn.replies.length > 0) return turn;
      const wanted = sources().filter((source) => isWanted(source, turn));
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)]);
      const parts = await Promise.all(wanted.map((source) => collectOne(source, turn, context, signal)));
      const found = parts.filter((part) => part !== undefined);
      return { ...turn, prompt: [...turn.prompt, ...found].sort((a, b) => a.priority - b.priority) };
    },
  };
}

function isWanted({ layer }: PromptSource, { session }: Turn): boolean {
  if (layer === "global.safety") return true;
  if (session.session_mode === "plain" && layer.startsWith("character.")) return false;
  return !session.disabled_prompt_keys.includes(layer);
}

async function collectOne(
  source: PromptSource,
  turn: Turn,
  context: TurnContext,
  signal: AbortSignal,
): Promise<PromptPart | undefined> {
  try {
    const part = await Promise.race([source.collect(turn, signal), aborted(signal)]);
    if (!part?.text.trim()) return undefined;
    return { key: source.layer, priority: PROMPT_LAYERS[source.layer], ...part };
  } catch (error) {
    if (context.signal.aborted) throw context.signal.reason;
    const why = error instanceof Error ? error.message : String(error);
    const metadata = { source: source.id, layer: source.layer };
    context.trace({ status: "build_request_failed", message: `prompt layer left out: ${why}`, metadata });
    return undefined;
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
