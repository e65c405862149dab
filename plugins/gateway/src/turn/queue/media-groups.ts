import type { InboundMessage } from "@parley/core";
import type { EventLog } from "../../observe/event-log.ts";
import { createLogEntryBuilder } from "../../observe/message-log-entry.ts";
import type { GatewayStore } from "../../store/gateway-store.ts";
import type { ClaimedMessage, QueueItem } from "../../store/inbox.ts";
import { gatewayTexts } from "../../texts.ts";
import type { OutcomeWaiter } from "../outcome-waiter.ts";
import { createEmptyOutcome } from "../turn-outcome.ts";

/** Merges the messages of an album into one turn; each is still stored, acknowledged and logged separately. */
export interface MediaGroups {
  /** Called when a message of an album was stored. Its session then waits a short time for the other messages. */
  onReceived(sessionId: string, album: string): void;
  isGathering(sessionId: string): boolean;
  /** True when no session waits for an album. */
  isIdle(): boolean;
  /** Merges the waiting messages of the album into the message, and ends them, in one transaction. */
  mergeGroup(item: QueueItem, claimed: ClaimedMessage): Promise<ClaimedMessage>;
  stop(): void;
}

export interface MediaGroupsDeps {
  readonly store: Pick<GatewayStore, "listWaiting" | "merge">;
  readonly log: Pick<EventLog, "add">;
  readonly outcomes: Pick<OutcomeWaiter, "publish">;
}

const GATHER_MS = 1_200;
/** Creates the album merger. `wake` resumes a session; `onMerged` is called for each merged message. */
export function createMediaGroups(
  { store, log, outcomes }: MediaGroupsDeps,
  wake: () => void,
  onMerged: (sessionId: string, traceId: string) => void,
): MediaGroups {
  const gathering = new Map<string, { readonly album: string; readonly timer: NodeJS.Timeout }>();

  return {
    onReceived(sessionId, album) {
      if (gathering.get(sessionId)?.album === album) return;
      clearTimeout(gathering.get(sessionId)?.timer);
      const timer = setTimeout(() => {
        gathering.delete(sessionId);
        wake();
      }, GATHER_MS);
      gathering.set(sessionId, { album, timer });
    },
    isGathering: (sessionId) => gathering.has(sessionId),
    isIdle: () => gathering.size === 0,
    async mergeGroup(item, claimed) {
      const { message, fence, draft } = claimed;
      // A turn that resumes from a draft has the images of the album already.
      if (message.album === undefined || draft !== undefined) return claimed;
      const waiting = await store.listWaiting(item.sessionId);
      const followers = waiting.filter((one) => one.id !== item.id && one.message.album === message.album);
      if (followers.length === 0) return claimed;
      const merged = mergeMessages([message, ...followers.map((one) => one.message)]);
      const ends = followers.map(({ id, traceId }) => ({
        id,
        cause: "album" as const,
        outcome: { ...createEmptyOutcome(traceId, "ignored"), answeredWith: item.traceId },
      }));
      await store.merge(item.id, fence, merged, ends);
      for (const one of followers) {
        onMerged(item.sessionId, one.traceId);
        outcomes.publish(createEmptyOutcome(one.traceId, "ignored"));
        log.add(
          createLogEntryBuilder(one, one.message)(
            "completed",
            gatewayTexts.message("trace_album", { id: item.traceId }),
          ),
        );
      }
      return { ...claimed, message: merged };
    },
    stop() {
      for (const { timer } of gathering.values()) clearTimeout(timer);
      gathering.clear();
    },
  };
}

/** Merges the messages of an album; in a group only the caption shows whether the bot is addressed. */
function mergeMessages(messages: readonly InboundMessage[]): InboundMessage {
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
