import type { ListedWarnings } from "../../error-texts.ts";
import { type ServiceKey, serviceKey } from "../../extension-point.ts";
import type { Write } from "../storage/database.ts";

/** The lorebook inside a character card (`character_book` of V2 and V3), with every key as its author wrote it. */
export type CardLorebook = Readonly<Record<string, unknown>>;

/** Origin of a book and its bindings. */
export interface LorebookOrigin {
  /** Fallback name of the book. */
  readonly name: string;
  /** Ids of the character or preset that the book is bound to, which makes it not global. */
  readonly boundTo: readonly string[];
}

/** A world book from a card's lorebook, as statements for the transaction that stores the card. */
export interface PreparedLorebook {
  readonly bookId: string;
  readonly writes: readonly Write[];
  /** Sentences about ignored or unsupported parts. */
  readonly warnings: readonly string[];
  /** Localized details of `warnings`, in the same order. */
  readonly warning_details?: ListedWarnings["warning_details"];
  /** Called after the statements are committed. */
  created(): void;
}

/** World books in the form of character cards; without a provider a lorebook stays in its card. */
export interface Lorebooks {
  /** Prepares the import of a lorebook. Rejects with `bad_request` when it is invalid, `conflict` when there are too many books. */
  importing(lorebook: CardLorebook, origin: LorebookOrigin): Promise<PreparedLorebook>;
  /** Exports the existing books of these ids as one card lorebook: imported values are unchanged except for later edits. Undefined when none exists. */
  exported(bookIds: readonly string[], spec: "v2" | "v3"): Promise<CardLorebook | undefined>;
  /** Returns the ids of the books bound to this character or preset, oldest first. */
  boundTo(id: string): Promise<readonly string[]>;
  /** Returns the ids that are existing books. */
  existing(bookIds: readonly string[]): Promise<ReadonlySet<string>>;
}
export const Lorebooks: ServiceKey<Lorebooks> = serviceKey("lorebooks");
