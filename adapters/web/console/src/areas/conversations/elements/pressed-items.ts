import type { Message } from "@parley/core";
import { createContext } from "react";

/** Chosen item ids by element id. */
export type PressedItems = ReadonlyMap<string, string>;

export const NO_PRESSED_ITEMS: PressedItems = new Map();

/** The choices of the conversation; a context, so that a new one renders its element rather than all messages. */
export const PressedItemsContext = createContext(NO_PRESSED_ITEMS);

/** Returns the choices of a conversation: the messages that presses became name them. */
export function findPressedItems(messages: readonly Pick<Message, "metadata">[]): PressedItems {
  const items = messages.flatMap(({ metadata }) => toPressedItem(metadata.pressed));
  return items.length === 0 ? NO_PRESSED_ITEMS : new Map(items);
}

function toPressedItem(pressed: unknown): readonly (readonly [string, string])[] {
  if (typeof pressed !== "object" || pressed === null) return [];
  const { element_id, item_id } = { element_id: "", item_id: "", ...pressed };
  return [[String(element_id), String(item_id)]];
}
