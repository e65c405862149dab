import type { ThinkingStep } from "@parley/core";
import { getKeys } from "../objects.ts";

interface CardBase<Type, Fields> {
  readonly type: Type;
  readonly id: string;
  /** Id of the reply it belongs to, which may still be in progress. */
  readonly parentId: string;
  readonly isComplete: boolean;
  readonly items: readonly Fields[];
}

export interface TodoItem {
  readonly id: number;
  readonly text: string;
  readonly done: boolean;
}

export interface FileChange {
  readonly scope: "private" | "shared";
  readonly path: string;
  readonly action: "upload" | "move" | "delete" | "edit";
  readonly size: number;
}

/** A card beside a reply: its reasoning, todos, or changed files. */
export type Card =
  | CardBase<"thinking_card", ThinkingStep>
  | CardBase<"todo_card", TodoItem>
  | CardBase<"change_card", FileChange>;

const MAX_CARDS = 60;
const ITEM_KEYS = { thinking_card: "steps", todo_card: "todos", change_card: "changes" } as const;

/** Adds a received card, or replaces its earlier state. */
export function putCard(cards: readonly Card[], frame: { readonly [field: string]: unknown }): readonly Card[] {
  const type = getKeys(ITEM_KEYS).find((one) => one === frame.type);
  if (!type) return cards;
  const id = String(frame.id);
  const parentId = String(frame.parent_message_id);
  const items = frame[ITEM_KEYS[type]];
  const card = { type, id, parentId, isComplete: frame.is_complete === true, items } as Card;
  const exists = cards.some((one) => one.id === id);
  if (exists) return cards.map((one) => (one.id === id ? card : one));
  // A conversation has one todo list: the newest.
  const others = type === "todo_card" ? cards.filter((one) => one.type !== "todo_card") : cards;
  return [...others, card].slice(-MAX_CARDS);
}

/** Removes all thinking cards; they are only shown until the reply is complete or cancelled. */
export function removeThinking(cards: readonly Card[]): readonly Card[] {
  return cards.some(({ type }) => type === "thinking_card")
    ? cards.filter(({ type }) => type !== "thinking_card")
    : cards;
}

export function findTodoCard(cards: readonly Card[]): Card | undefined {
  return cards.find(({ type }) => type === "todo_card");
}

/** Replaces the visible todo list by the stored one. */
export function putStoredTodos(cards: readonly Card[], items: readonly TodoItem[]): readonly Card[] {
  const todoCard = findTodoCard(cards);
  if (!todoCard && items.length === 0) return cards;
  const { id = "todos", parentId = "" } = todoCard ?? {};
  return [...cards.filter((one) => one !== todoCard), { type: "todo_card", id, parentId, isComplete: true, items }];
}
