import type { Message } from "@parley/core";

/** So many numbers of the order share a block: about forty messages. */
const SPAN = 400;

/** Messages that are drawn together. */
export interface MessageGroup {
  readonly key: number;
  readonly messages: readonly Message[];
  /** Ids of those with which a new day begins. */
  readonly newDays: ReadonlySet<string>;
}

/** Messages in blocks that stay the same objects, whatever comes before or behind them, unless they change. */
export function createGrouping(): (messages: readonly Message[]) => readonly MessageGroup[] {
  let known = new Map<number, MessageGroup>();
  return (messages) => {
    const next = new Map<number, MessageGroup>();
    let last: Message | undefined;
    for (const [key, some] of Map.groupBy(messages, ({ seq }) => Math.floor(seq / SPAN))) {
      const newDays = daysIn(some, last);
      const old = known.get(key);
      next.set(key, old && isSame(old, some, newDays) ? old : { key, messages: some, newDays });
      last = some.at(-1);
    }
    known = next;
    return [...next.values()];
  };
}

function isSame(old: MessageGroup, some: readonly Message[], newDays: ReadonlySet<string>): boolean {
  return (
    old.messages.length === some.length &&
    old.messages.every((message, at) => message === some[at]) &&
    old.newDays.size === newDays.size &&
    old.newDays.isSubsetOf(newDays)
  );
}

function daysIn(messages: readonly Message[], before: Message | undefined): ReadonlySet<string> {
  const days = new Set<string>();
  let day = before && dayOf(before);
  for (const message of messages) {
    const own = dayOf(message);
    if (own !== day) days.add(message.id);
    day = own;
  }
  return days;
}

const dayOf = ({ timestamp }: Message): string => new Date(timestamp).toDateString();
