import type { InboundMessage } from "@parley/core";
import type { EventLog } from "./event-log.ts";
import { entryFor } from "./item-entry.ts";
import type { Outcomes } from "./outcomes.ts";
import type { Claimed, WaitingItem } from "./store/inbox.ts";
import type { GatewayStore } from "./store.ts";
import { noOutcome } from "./turn-outcome.ts";

/** Messages that a person sent as one are one turn, though each is stored, acknowledged and accounted for by itself. */
export interface MediaGroups {
  /** A message of an album was stored: its session waits for the others for a moment after the first. */
  received(sessionId: string, album: string): void;
  isGathering(sessionId: string): boolean;
  /** True when no session waits. */
  isQuiet(): boolean;
  /** The message with those of its album that wait behind it; theirs end as this is stored, in one transaction. */
  gathered(item: WaitingItem, claimed: Claimed): Promise<Claimed>;
  stop(): void;
}

export interface MediaGroupsParts {
  readonly store: Pick<GatewayStore, "waitingOf" | "merge">;
  readonly log: Pick<EventLog, "add">;
  readonly outcomes: Pick<Outcomes, "tell">;
}

const WAIT_MS = 1_200;
/** `wake`: a session may go on; `taken`: what does not wait any more. */
export function createMediaGroups(
  { store, log, outcomes }: MediaGroupsParts,
  wake: () => void,
  taken: (sessionId: string, traceId: string) => void,
): MediaGroups {
  const gathering = new Map<string, { readonly album: string; readonly timer: NodeJS.Timeout }>();

  return {
    received(sessionId, album) {
      if (gathering.get(sessionId)?.album === album) return;
      clearTimeout(gathering.get(sessionId)?.timer);
      const timer = setTimeout(() => {
        gathering.delete(sessionId);
        wake();
      }, WAIT_MS);
      gathering.set(sessionId, { album, timer });
    },
    isGathering: (sessionId) => gathering.has(sessionId),
    isQuiet: () => gathering.size === 0,
    async gathered(item, claimed) {
      const { message, fence, draft } = claimed;
      // A turn that goes on from a draft has its pictures already.
      if (message.album === undefined || draft !== undefined) return claimed;
      const waiting = await store.waitingOf(item.sessionId);
      const followers = waiting.filter((one) => one.id !== item.id && one.message.album === message.album);
      if (followers.length === 0) return claimed;
      const merged = mergedOf([message, ...followers.map((one) => one.message)]);
      const ends = followers.map(({ id, traceId }) => ({ id, outcome: noOutcome(traceId, "ignored") }));
      await store.merge(item.id, fence, merged, ends);
      for (const one of followers) {
        taken(item.sessionId, one.traceId);
        outcomes.tell(noOutcome(one.traceId, "ignored"));
        log.add(entryFor(one, one.message)("completed", `one of an album: answered under ${item.traceId}`));
      }
      return { ...claimed, message: merged };
    },
    stop() {
      for (const { timer } of gathering.values()) clearTimeout(timer);
      gathering.clear();
    },
  };
}

/** In a group only the one with the caption says whom it is meant for. */
function mergedOf(messages: readonly InboundMessage[]): InboundMessage {
  const [first] = messages as readonly [InboundMessage];
  const replyTo = messages.map((one) => one.replyTo).find((one) => one !== undefined);
  return {
    ...first,
    text: messages
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
    attachments: messages.flatMap(({ attachments }) => attachments),
    addressed: messages.some(({ addressed }) => addressed),
    ...(replyTo !== undefined && { replyTo }),
  };
}
