import type { InboundMessage } from "@parley/core";
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
}
