import { type ServiceKey, serviceKey } from "../extension-point.ts";

export interface FilterRequest {
  readonly text: string;
  readonly target: "user" | "ai";
  readonly sessionId: string;
  readonly channelId: string;
  /** With attachments an emptied text goes on; without, it is blocked. */
  readonly hasAttachments: boolean;
}

export interface FilterResult {
  readonly text: string;
  readonly filtered: boolean;
  readonly blocked: boolean;
  readonly rules: readonly string[];
}

/** Decides what of a text may stay (spec 4.17). Filtering a result again changes nothing. */
export interface MessageFilter {
  apply(request: FilterRequest): Promise<FilterResult>;
}
export const MessageFilter: ServiceKey<MessageFilter> = serviceKey("message-filter");
