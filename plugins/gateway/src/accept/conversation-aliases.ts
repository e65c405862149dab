import type { ConversationMove, InboundMessage, Logger, Signals } from "@parley/core";
import { createChangeReader } from "@parley/core/storage";
import type { AliasStore } from "../store/aliases.ts";

/** Maps conversations whose platform id changed to their first session. */
export interface ConversationAliases {
  load(): Promise<void>;
  /** Follows aliases recorded by other processes; returns a function that unsubscribes. */
  watch(): () => void;
  /** Returns the message with the first session of its conversation and the conversation's new id, whichever id it came with. */
  resolve<Message extends Pick<InboundMessage, "channelId" | "sessionId" | "conversation">>(message: Message): Message;
  /** Records the new id and readdresses unsent deliveries to it, in one transaction. Only the first move of an old id counts. */
  record(move: ConversationMove): Promise<void>;
}

const TOPIC = "gateway-aliases";

export interface ConversationAliasesDeps {
  readonly store: AliasStore;
  readonly signals: () => Signals | undefined;
  readonly log: Logger;
}

export function createConversationAliases({ store, signals, log }: ConversationAliasesDeps): ConversationAliases {
  const movesByOldId = new Map<string, ConversationMove>();
  const movesByNewId = new Map<string, ConversationMove>();
  const toKey = (channelId: string, id: string) => `${channelId}\0${id}`;
  const remember = (move: ConversationMove) => {
    movesByOldId.set(toKey(move.channelId, move.from), move);
    movesByNewId.set(toKey(move.channelId, move.to), move);
  };
  const load = async () => {
    for (const move of await store.list()) remember(move);
  };
  return {
    load,
    watch() {
      const reader = createChangeReader(load, (error) =>
        log.error("renamed conversations could not be read", { error }),
      );
      const end = signals()?.listen(TOPIC, () => reader.changed(undefined));
      return () => {
        end?.();
        reader.end();
      };
    },
    resolve(message) {
      if (movesByOldId.size === 0) return message;
      const key = toKey(message.channelId, message.conversation.id);
      const move = movesByNewId.get(key) ?? movesByOldId.get(key);
      if (!move) return message;
      return { ...message, sessionId: move.sessionId, conversation: { ...message.conversation, id: move.to } };
    },
    async record(move) {
      const { channelId, from, to } = move;
      if (from === to || movesByOldId.has(toKey(channelId, from))) return;
      // A conversation that moves again keeps its first session.
      const sessionId = movesByNewId.get(toKey(channelId, from))?.sessionId ?? move.sessionId;
      await store.add({ ...move, sessionId }, signals()?.telling([{ topic: TOPIC, key: channelId }]));
      remember({ ...move, sessionId });
    },
  };
}
