import type { CardExtras } from "./entry-fields.ts";

/** Key in the card of a book whose name comes from the card around it; it is not exported. */
export const ASSUMED_NAME = "parley_assumed_name";

/** Returns the book without internal keys, for clients. */
export function toBookView<One extends { readonly card: CardExtras }>(book: One): One {
  const { [ASSUMED_NAME]: _assumed, ...card } = book.card;
  return { ...book, card };
}

/** Preserves the assumed name when a client replaces the card, because clients do not see it. */
export function withAssumedName(before: CardExtras, card: CardExtras): CardExtras {
  return ASSUMED_NAME in before ? { ...card, [ASSUMED_NAME]: before[ASSUMED_NAME] } : card;
}
