/** The person for whom a tool is called. */
export interface Asker {
  /** Key of that person from `toActorKey`; null without a turn, so that only an administrator may answer. */
  readonly key: string | null;
  /** True for a person on a channel without administrator rights, when others are affected; may only reject. */
  readonly isStranger: boolean;
}

/** An open tool confirmation. */
export interface OpenQuestion {
  readonly id: string;
  readonly session_id: string;
  readonly tool: string;
  /** The call with its arguments, secrets masked. */
  readonly summary: string;
  readonly expires_at: string;
}
