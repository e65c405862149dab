import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Effect } from "../../points/turn/turn-stage.ts";
import type { Session } from "./sessions.ts";

/** Something that a person announced, to come back to. */
export interface FollowUp {
  /** The announcement, in words. */
  readonly text: string;
  /** Time to come back to it, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** Lets the AI come back to what people announced. */
export interface FollowUps {
  /** Returns the effects that plan the follow-ups of a message, each once; none where the AI may not speak first. */
  plan(session: Session, messageId: string, followUps: readonly FollowUp[]): readonly Effect[];
}
export const FollowUps: ServiceKey<FollowUps> = serviceKey("follow-ups");
