import type { CharacterBond, CharacterMood } from "../../characters/initial-state.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Write } from "../storage/database.ts";

/** State of a character in a session after an event. Field names as on the wire. */
export interface TimelineEntry {
  readonly id: string;
  readonly session_id: string;
  readonly character_id: string;
  readonly message_id: string | null;
  readonly message_index: number;
  readonly timestamp: string;
  readonly source: "auto" | "manual";
  readonly state: Partial<CharacterMood>;
  readonly relationship: Partial<CharacterBond>;
  readonly user_message: string;
  readonly assistant_message: string;
}

/** Data to undo the changes of an answered message; internal. */
export interface TimelineUndo {
  readonly target_id: string;
  readonly state: CharacterMood;
  /** Changes added to the relationship. */
  readonly added: Partial<CharacterBond>;
}

/** A timeline entry to write. */
export type NewTimelineEntry = Omit<TimelineEntry, "id"> & { readonly id?: string; readonly undo?: TimelineUndo };

/** Timeline of sessions, with at most 200 entries each; the oldest are removed. */
export interface StateTimeline {
  /** Statements for an effect of a turn or a larger transaction. */
  adding(entry: NewTimelineEntry): readonly Write[];
  /** Returns the entries of these messages, oldest first, with their undo data. */
  ofMessages(
    sessionId: string,
    messageIds: readonly string[],
  ): Promise<readonly (TimelineEntry & { readonly undo?: TimelineUndo })[]>;
  removing(sessionId: string, entryIds: readonly string[]): readonly Write[];
}
export const StateTimeline: ServiceKey<StateTimeline> = serviceKey("state-timeline");
