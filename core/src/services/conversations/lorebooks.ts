import type { ListedWarnings } from "../../error-texts.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Write } from "../storage/database.ts";

/** The lorebook inside a character card (`character_book` of V2 and V3), with every key as its author wrote it. */
export type CardLorebook = Readonly<Record<string, unknown>>;

/** Where a book comes from, and what it is bound to. */
export interface LorebookOrigin {
  /** What the book is called where it has no name of its own. */
  readonly name: string;
  /** Ids of the character or preset that the book is bound to: it is never global. */
  readonly boundTo: readonly string[];
}

/** A world book made of a card's lorebook: statements for the transaction that stores the card. */
export interface PreparedLorebook {
  readonly bookId: string;
  readonly writes: readonly Write[];
  /** What was left out or is not acted on, each a sentence. */
  readonly warnings: readonly string[];
  /** In the same order, what it takes to say each in another language. */
  readonly warning_details?: ListedWarnings["warning_details"];
  /** Called after they are stored. */
  created(): void;
}

/** World books as character cards carry them; where nobody provides it a lorebook stays in its card. */
export interface Lorebooks {
  /** `bad_request` when it is no lorebook, `conflict` when there are too many books. */
  importing(lorebook: CardLorebook, origin: LorebookOrigin): Promise<PreparedLorebook>;
  /**
   * The books of these ids, of those that are there, as one lorebook of a card: what was imported comes out with the values it
   * came with, except what was changed since. Undefined when there is none.
   */
  exported(bookIds: readonly string[], spec: "v2" | "v3"): Promise<CardLorebook | undefined>;
  /** Ids of the books that are bound to this id of a character or preset, the oldest first. */
  boundTo(id: string): Promise<readonly string[]>;
  /** Those of the ids that are books. */
  existing(bookIds: readonly string[]): Promise<ReadonlySet<string>>;
}
export const Lorebooks: ServiceKey<Lorebooks> = serviceKey("lorebooks");
