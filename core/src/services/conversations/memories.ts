import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Common } from "../../records.ts";
import type { Write } from "../storage/database.ts";
import type { Session } from "./sessions.ts";

/** A memory. Field names as on the wire. */
export interface Memory extends Common {
  readonly title: string;
  readonly content: string;
  readonly summary: string;
  readonly type: "long" | "short";
  /** null means that all characters know it. */
  readonly character_id: string | null;
  readonly character_name: string;
  /** Address of the person it is about; null means that it applies to everyone. */
  readonly target_id: string | null;
  readonly session_id: string | null;
  readonly priority: "high" | "normal" | "low";
  readonly importance: number;
  readonly expire_days: number;
  readonly expires_at: string | null;
  readonly tags: readonly string[];
  readonly emotion_impact: Readonly<Record<string, unknown>>;
  readonly source: "manual" | "ai" | "summary" | "tool" | "mcp" | "import";
  readonly source_turn_id: string | null;
  readonly last_recalled_at: string | null;
  readonly recall_count: number;
  readonly kind: MemoryKind;
  /** Key of a fact that has one current value: `home`, `taste:tea`; null for most memories. */
  readonly fact: string | null;
  /** Id of the message it was extracted from. */
  readonly message_id: string | null;
  /** Time of the statement. */
  readonly said_at: string;
  /** Time at which a newer memory replaced it; from then on it is history. */
  readonly replaced_at: string | null;
  readonly replaced_by: string | null;
}

/** Kinds of memories. */
export const MEMORY_KINDS = ["fact", "preference", "event", "plan", "relation", "other"] as const;
/** Kind of a memory. */
export type MemoryKind = (typeof MEMORY_KINDS)[number];

/** Memories of people and conversations, for plugins that change their sources. */
export interface Memories {
  /** Stores a summary's memories for the conversation's counterpart, `username` in the console. Returns the new ones, at most three. */
  ofSummary(session: Session, summary: string, username: string): Promise<readonly Memory[]>;
  /** Returns the writes that remove the memories found in these messages; memories they replaced become current again. */
  withoutMessages(messageIds: readonly string[]): Promise<readonly Write[]>;
}
export const Memories: ServiceKey<Memories> = serviceKey("memories");
