import type { Message } from "@parley/core";

/** Sequence numbers per block: about forty messages. */
const SEQ_SPAN = 400;

/** Messages that are drawn together. */
export interface MessageGroup {
  readonly key: number;
  readonly messages: readonly Message[];
  /** Ids of the first messages of a day. */
  readonly newDays: ReadonlySet<string>;
}

/** Returns a function that groups messages into blocks; unchanged blocks stay the same objects. */
export function createMessageGrouper(): (messages: readonly Message[]) => readonly MessageGroup[] {
  let groupByKey = new Map<number, MessageGroup>();
  return (messages) => {
    const next = new Map<number, MessageGroup>();
    let last: Message | undefined;
    for (const [key, some] of Map.groupBy(messages, ({ seq }) => Math.floor(seq / SEQ_SPAN))) {
      const newDays = findNewDays(some, last);
      const old = groupByKey.get(key);
      next.set(key, old && isUnchanged(old, some, newDays) ? old : { key, messages: some, newDays });
      last = some.at(-1);
    }
    groupByKey = next;
    return [...next.values()];
  };
}

function isUnchanged(old: MessageGroup, some: readonly Message[], newDays: ReadonlySet<string>): boolean {
  return (
    old.messages.length === some.length &&
    old.messages.every((message, at) => message === some[at]) &&
    old.newDays.size === newDays.size &&
    old.newDays.isSubsetOf(newDays)
  );
}

function findNewDays(messages: readonly Message[], before: Message | undefined): ReadonlySet<string> {
  const days = new Set<string>();
  let day = before && toDay(before);
  for (const message of messages) {
    const own = toDay(message);
    if (own !== day) days.add(message.id);
    day = own;
  }
  return days;
}

const toDay = ({ timestamp }: Message): string => new Date(timestamp).toDateString();
