import type { Message } from "@parley/core";
import { type TodoItem, todoCardOf, withStoredTodos } from "./cards.ts";
import { type Conversation, settled } from "./conversation.ts";

/** The conversation when what is shown may be outdated: the newest page must be fetched. */
export function outdated(now: Conversation): Conversation {
  const state = now.state === "new" ? "new" : "stale";
  return { ...now, state, demand: now.demand + 1, arrived: [], removed: [] };
}

/** The newest page, oldest message first, as the answer to `demand`. What came in while it was on its way is kept. */
export function fetched(now: Conversation, page: readonly Message[], total: number, demand: number): Conversation {
  if (demand !== now.demand || now.state === "fresh") return now;
  const oldest = page[0]?.seq ?? Number.POSITIVE_INFINITY;
  const gone = new Set(now.removed);
  const inPage = new Map(page.filter(({ id }) => !gone.has(id)).map((message) => [message.id, message]));
  const older = page.length < total ? now.messages.filter(({ seq }) => seq < oldest) : [];
  // A hole between what was shown and this page cannot be ruled out: older ones are fetched again when asked for.
  const isJoined = now.messages.some(({ id }) => inPage.has(id));
  const kept = now.messages.filter(({ id }) => now.arrived.includes(id) && !gone.has(id));
  for (const message of kept) {
    const other = inPage.get(message.id);
    if (!other || other.revision <= message.revision) inPage.set(message.id, message);
  }
  const messages = [...(isJoined ? older : []), ...[...inPage.values()].sort((a, b) => a.seq - b.seq)];
  return settled({
    ...now,
    messages,
    hasOlder: isJoined && older.length > 0 ? now.hasOlder : page.length < total,
    state: "fresh",
    arrived: [],
    removed: [],
  });
}

/** The stored list of todos, asked for when `seen` was shown: a list that came since is newer, one of a turn that runs too. */
export function todosFetched(
  now: Conversation,
  todos: readonly TodoItem[],
  seen: Conversation["cards"][number] | undefined,
): Conversation {
  const shown = todoCardOf(now.cards);
  if (shown !== seen || (shown && now.running !== undefined)) return now;
  return { ...now, cards: withStoredTodos(now.cards, todos) };
}

/** A page from before what is shown, oldest message first. */
export function fetchedOlder(now: Conversation, page: readonly Message[], hasOlder: boolean): Conversation {
  const known = new Set(now.messages.map(({ id }) => id));
  return { ...now, messages: [...page.filter(({ id }) => !known.has(id)), ...now.messages], hasOlder };
}
