import type { Message } from "@parley/core";
import { findTodoCard, putStoredTodos, type TodoItem } from "./cards.ts";
import { type Conversation, reconcile } from "./conversation.ts";

/** Marks the conversation as possibly outdated, so that the newest page is fetched. */
export function markStale(now: Conversation): Conversation {
  const state = now.freshness === "new" ? "new" : "stale";
  return { ...now, freshness: state, requestNumber: now.requestNumber + 1, arrivedIds: [], removedIds: [] };
}

/** Applies the newest page, oldest message first, as the response to a request. Messages that arrived meanwhile are preserved. */
export function applyNewestPage(
  now: Conversation,
  page: readonly Message[],
  total: number,
  requestNumber: number,
): Conversation {
  if (requestNumber !== now.requestNumber || now.freshness === "fresh") return now;
  const oldest = page[0]?.seq ?? Number.POSITIVE_INFINITY;
  const removedIds = new Set(now.removedIds);
  const inPage = new Map(page.filter(({ id }) => !removedIds.has(id)).map((message) => [message.id, message]));
  const older = page.length < total ? now.messages.filter(({ seq }) => seq < oldest) : [];
  // Without a common message there may be a gap before this page, so older messages are fetched again on demand.
  const hasOverlap = now.messages.some(({ id }) => inPage.has(id));
  const arrivedMessages = now.messages.filter(({ id }) => now.arrivedIds.includes(id) && !removedIds.has(id));
  for (const message of arrivedMessages) {
    const other = inPage.get(message.id);
    if (!other || other.revision <= message.revision) inPage.set(message.id, message);
  }
  const messages = [...(hasOverlap ? older : []), ...[...inPage.values()].sort((a, b) => a.seq - b.seq)];
  return reconcile({
    ...now,
    messages,
    hasOlder: hasOverlap && older.length > 0 ? now.hasOlder : page.length < total,
    freshness: "fresh",
    arrivedIds: [],
    removedIds: [],
  });
}

/** Applies the stored todo list unless the visible one may be newer: it changed since the request, or a turn is running. */
export function applyTodos(
  now: Conversation,
  todos: readonly TodoItem[],
  cardAtRequest: Conversation["cards"][number] | undefined,
): Conversation {
  const todoCard = findTodoCard(now.cards);
  if (todoCard !== cardAtRequest || (todoCard && now.runningTraceId !== undefined)) return now;
  return { ...now, cards: putStoredTodos(now.cards, todos) };
}

/** Prepends a page of older messages, oldest first. */
export function applyOlderPage(now: Conversation, page: readonly Message[], hasOlder: boolean): Conversation {
  const knownIds = new Set(now.messages.map(({ id }) => id));
  return { ...now, messages: [...page.filter(({ id }) => !knownIds.has(id)), ...now.messages], hasOlder };
}
