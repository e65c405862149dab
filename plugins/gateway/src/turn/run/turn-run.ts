import type { InboundMessage, Turn } from "@parley/core";
import type { Draft } from "../../store/turns.ts";

export interface TurnRun {
  readonly traceId: string;
  readonly itemId: string;
  readonly fence: number;
  readonly message: InboundMessage;
  readonly draft: Draft | undefined;
  /** True when an earlier run of the message was interrupted. */
  readonly isRepeated: boolean;
  readonly signal: AbortSignal;
  /** Called once the user's message is recorded, unless the turn ends with that; the model is asked when it resolves. */
  readonly beforeAnswer: (turn: Turn) => Promise<void> | undefined;
}
