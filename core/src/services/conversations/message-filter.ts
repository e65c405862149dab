import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { LiveEvent } from "./live-events.ts";

/** A text to check against the filter rules. */
export interface FilterRequest {
  readonly text: string;
  readonly target: "user" | "ai";
  readonly sessionId: string;
  readonly channelId: string;
  /** True when the message has attachments: emptied text then passes, otherwise it is blocked. */
  readonly hasAttachments: boolean;
  /** True for a check in advance, which is not counted; the same text is filtered again later. */
  readonly isPreview?: boolean;
}

/** Outcome of filtering a text. */
export interface FilterResult {
  readonly text: string;
  readonly filtered: boolean;
  readonly blocked: boolean;
  /** Ids of the rules that matched, session before channel before global. */
  readonly rules: readonly string[];
  /** Ids of the rules that could not be applied to this text in time. */
  readonly skipped: readonly string[];
}

/** Notice to the sender of a blocked message. */
export const FILTER_NOTICE = "message blocked by filter";

/** Filters texts. Filtering a result again changes nothing. */
export interface MessageFilter {
  /** Returns false when no rule applies to these texts, so that they may be shown before they are complete. Absent: unknown. */
  hasRulesFor?(target: FilterRequest["target"], channelId: string, sessionId: string): boolean;
  apply(request: FilterRequest): Promise<FilterResult>;
}
export const MessageFilter: ServiceKey<MessageFilter> = serviceKey("message-filter");

/** A message blocked by the filter. */
export interface BlockedMessage {
  readonly sessionId: string;
  readonly channelId: string;
  readonly direction: "user" | "ai";
  readonly rules: readonly string[];
  readonly tempId: string | null;
  readonly traceId: string | null;
  /** The operator's notice; absent or "": the service's own. */
  readonly notice?: string;
}

/** Creates the event `message_filtered`; it contains neither pattern nor text. */
export function messageFiltered({
  sessionId,
  channelId,
  direction,
  rules,
  tempId,
  traceId,
  notice = "",
}: BlockedMessage): LiveEvent {
  return {
    type: "message_filtered",
    session_id: sessionId,
    durable: true,
    payload: {
      channel: channelId,
      direction,
      action: "recall",
      rule_ids: rules,
      rule_count: rules.length,
      message: notice || FILTER_NOTICE,
      temp_id: tempId,
      trace_id: traceId,
    },
  };
}
