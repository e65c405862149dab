import type { CardExtras } from "./entry-fields.ts";

/** Among what a book came with: what it is called because the card around it is. It does not go out again. */
export const ASSUMED_NAME = "parley_assumed_name";

/** A book as people see it. */
export function toBookView<One extends { readonly card: CardExtras }>(book: One): One {
  const { [ASSUMED_NAME]: _assumed, ...card } = book.card;
  return { ...book, card };
}

/** Other keys of a card, for a book that may have an assumed name: whoever sends them has not seen it. */
export function withAssumedName(before: CardExtras, card: CardExtras): CardExtras {
  return ASSUMED_NAME in before ? { ...card, [ASSUMED_NAME]: before[ASSUMED_NAME] } : card;
}
