import { type ServiceKey, serviceKey } from "../../extension-point.ts";

/** The name and description that characters know a person by. */
export interface Persona {
  readonly id: string;
  /** Replaces `{{user}}`. */
  readonly name: string;
  readonly description: string;
}

/** The places where a persona may be chosen; the first one wins: the conversation, the linked person, the account's default. */
export interface PersonaChoice {
  /** `persona_id` of the conversation. */
  readonly personaId: string | null | undefined;
  /** Address of the person: `imA:user:42`, `web:user:ann`. */
  readonly person?: string | undefined;
}

/** The personas of people. */
export interface Personas {
  /** Returns the persona that applies; undefined when none is chosen or the chosen one is deleted. */
  findFor(choice: PersonaChoice): Promise<Persona | undefined>;
  /** Returns true when the persona exists. */
  has(id: string): boolean;
}
export const Personas: ServiceKey<Personas> = serviceKey("personas");
