import type { CardExtras } from "./entry-fields.ts";

/** Key of the card for a book whose name was derived from its surrounding card; not exported. */
export const ASSUMED_NAME = "parley_assumed_name";

/** A book as people see it. */
export function toBookView<One extends { readonly card: CardExtras }>(book: One): One {
  const { [ASSUMED_NAME]: _assumed, ...card } = book.card;
  return { ...book, card };
}

/** Preserves the assumed name when the card's other keys are replaced, since clients do not see it. */
export function withAssumedName(before: CardExtras, card: CardExtras): CardExtras {
  return ASSUMED_NAME in before ? { ...card, [ASSUMED_NAME]: before[ASSUMED_NAME] } : card;
}
