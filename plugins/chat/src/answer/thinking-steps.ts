import type { Clock, ThinkingStep, ToolCallRecord, TurnContext } from "@parley/core";

/** Maximum count of shown steps; the oldest are dropped. */
const MAX_STEPS = 50;
const MAX_THINKING_CHARS = 4_000;

/** Live view of the model's thinking and tool calls before the answer. */
export interface ThinkingSteps {
  addThinking(delta: string): void;
  /** Runs a tool, and shows it as a step until its end. */
  runTool<Ran extends { readonly record: ToolCallRecord }>(name: string, run: () => Promise<Ran>): Promise<Ran>;
  /** Ends the view: the answer is complete. */
  end(): void;
}

export function createThinkingSteps(
  messageId: string,
  { emit }: Pick<TurnContext, "emit">,
  clock: Pick<Clock, "monotonic">,
): ThinkingSteps {
  let steps: readonly ThinkingStep[] = [];
  let isThinking = false;
  const publish = (next: readonly ThinkingStep[], isComplete = false) => {
    steps = next.slice(-MAX_STEPS);
    emit({ type: "steps", messageId, steps, isComplete });
  };
  return {
    addThinking(delta) {
      const last = isThinking ? steps.at(-1) : undefined;
      const isSame = last?.type === "thinking";
      const text = ((isSame ? last.text : "") + delta).slice(-MAX_THINKING_CHARS);
      isThinking = true;
      publish([...(isSame ? steps.slice(0, -1) : steps), { type: "thinking", text }]);
    },
    async runTool(name, run) {
      isThinking = false;
      const startedMs = clock.monotonic();
      const before = steps;
      const publishEnd = (status: ToolCallRecord["status"], duration_ms: number) =>
        publish([...before, { type: "tool", name, status, duration_ms }]);
      publish([...before, { type: "tool", name, status: "running", duration_ms: null }]);
      try {
        const ran = await run();
        publishEnd(ran.record.status, ran.record.duration_ms);
        return ran;
      } catch (error) {
        publishEnd("error", Math.round(clock.monotonic() - startedMs));
        throw error;
      }
    },
    end() {
      if (steps.length > 0) publish(steps, true);
    },
  };
}
