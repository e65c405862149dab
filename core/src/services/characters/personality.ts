import type { CharacterFields } from "../../characters/character-fields.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** The personality of sessions without a character. */
export type CurrentPersonality = CharacterFields & {
  /** Preset that it was created from, whose bound world books apply. Null when that preset no longer exists. */
  readonly preset_id: string | null;
  readonly updated_at: string;
  readonly revision: number;
};

/** The personality used when no character is bound. */
export interface Personality {
  /** Returns the current personality, cached in memory; a change applies from the next turn on. */
  current(): Promise<CurrentPersonality>;
}
export const Personality: ServiceKey<Personality> = serviceKey("personality");
