import { type ServiceKey, serviceKey } from "../extension-point.ts";

/** What a session copies from a character when it is bound. */
export interface CharacterFace {
  readonly id: string;
  readonly name: string;
  readonly avatar: string;
  readonly portrait: string;
  readonly scenario: string;
  readonly first_message: string;
}

/** Characters, for those who bind them. */
export interface Characters {
  find(id: string): Promise<CharacterFace | undefined>;
}
export const Characters: ServiceKey<Characters> = serviceKey("characters");
