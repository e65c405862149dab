import type { Message } from "@parley/core";

/** Sequence numbers per block: about forty messages. */
const SEQ_SPAN = 400;

/** Messages that are rendered together. */
export interface MessageGroup {
  readonly key: number;
  readonly messages: readonly Message[];
  /** Ids of the messages that are the first of their day. */
  readonly dayStartIds: ReadonlySet<string>;
}

/** Returns a function that groups messages into blocks; unchanged blocks stay the same objects. */
export function createMessageGrouper(): (messages: readonly Message[]) => readonly MessageGroup[] {
  let groupByKey = new Map<number, MessageGroup>();
  return (messages) => {
    const next = new Map<number, MessageGroup>();
    let last: Message | undefined;
    for (const [key, members] of Map.groupBy(messages, ({ seq }) => Math.floor(seq / SEQ_SPAN))) {
      const dayStartIds = findDayStarts(members, last);
      const old = groupByKey.get(key);
      next.set(key, old && isUnchanged(old, members, dayStartIds) ? old : { key, messages: members, dayStartIds });
      last = members.at(-1);
    }
    groupByKey = next;
    return [...next.values()];
  };
}

function isUnchanged(old: MessageGroup, members: readonly Message[], dayStartIds: ReadonlySet<string>): boolean {
  return (
    old.messages.length === members.length &&
    old.messages.every((message, at) => message === members[at]) &&
    old.dayStartIds.size === dayStartIds.size &&
    old.dayStartIds.isSubsetOf(dayStartIds)
  );
}

function findDayStarts(messages: readonly Message[], before: Message | undefined): ReadonlySet<string> {
  const days = new Set<string>();
  let day = before && toDay(before);
  for (const message of messages) {
    const messageDay = toDay(message);
    if (messageDay !== day) days.add(message.id);
    day = messageDay;
  }
  return days;
}

const toDay = ({ timestamp }: Message): string => new Date(timestamp).toDateString();
