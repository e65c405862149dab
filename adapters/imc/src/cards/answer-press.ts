import type { ChannelIo, InboundMessage } from "@parley/core";
import { type Card, findLabel, markPressed } from "./build-card.ts";
import type { CardPress } from "./decode-press.ts";

const MAX_CARDS = 1_000;
/** Maximum length of the note that the platform shows to who pressed. */
const MAX_TOAST = 200;

/** Answer to the event of a press: a note for that person, and the card as everybody sees it from then on. */
export interface PressAnswer {
  readonly toast?: { readonly type: "success" | "warning"; readonly content: string };
  readonly card?: { readonly type: "raw"; readonly data: Card };
}

/**
 * The cards that this process sent lately, by message id. The platform wants a whole card to change one; a card that is
 * not here any more stays as it is, and the note alone confirms the choice.
 */
export type SentCards = Map<string, Card>;

export interface AnswerPressDeps {
  readonly io: Pick<ChannelIo, "press" | "log">;
  readonly cards: SentCards;
  /** Adds the name of a message's sender. */
  readonly complete: (message: InboundMessage) => Promise<InboundMessage>;
}

/** Remembers a sent card, and forgets the oldest one. */
export function rememberCard(cards: SentCards, messageId: string, card: Card): void {
  const [oldest] = cards.keys();
  if (cards.size >= MAX_CARDS && oldest !== undefined) cards.delete(oldest);
  cards.set(messageId, card);
}

/** Stores a press and returns the answer to its event. */
export async function answerPress(
  { io, cards, complete }: AnswerPressDeps,
  { press, value, messageId }: CardPress,
): Promise<PressAnswer> {
  const { sender } = await complete({ ...press, kind: "message" });
  const accepted = await io.press?.({ ...press, sender });
  if (!accepted) return {};
  if (accepted.refusal !== undefined)
    return { toast: { type: "warning", content: accepted.refusal.slice(0, MAX_TOAST) } };
  const card = cards.get(messageId);
  const label = card && findLabel(card, value);
  if (card === undefined || label === undefined) return { toast: { type: "success", content: "✓" } };
  const marked = markPressed(card, value, label);
  cards.set(messageId, marked);
  return { toast: { type: "success", content: `✓ ${label}` }, card: { type: "raw", data: marked } };
}
