import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Message, Session } from "./sessions.ts";

/** Summaries of conversations by the chat model. Errors as for a turn: 502, 503, 504. */
export interface Summaries {
  /** Summarizes messages in at most `maxChars` characters; `previous` is an earlier summary to continue. */
  summarize(
    request: {
      readonly session: Session;
      readonly messages: readonly Message[];
      readonly previous?: string;
      readonly maxChars: number;
    },
    signal: AbortSignal,
  ): Promise<string>;
}
export const Summaries: ServiceKey<Summaries> = serviceKey("summaries");
