import type { ChannelLink, InboundMessage, Logger, ReplyDraft } from "@parley/core";
import type { GatewayStore } from "./store.ts";

/** The platform message that shows an answer while it is made, where the platform can change what it shows. */
export interface ShownDraft {
  begin(link: ChannelLink | undefined): void;
  /** More of the answer is there. */
  grow(text: string): void;
  /** True once there is one. */
  isShown(): boolean;
  /** Nothing more is added to it. */
  end(): Promise<void>;
  /** The same; gives the message's id, undefined when none was shown. */
  messageId(): Promise<string | undefined>;
}

export interface ShownDraftParts {
  readonly store: Pick<GatewayStore, "keepDraftMessage" | "draftMessage">;
  readonly logger: Logger;
  readonly traceId: string;
  readonly message: InboundMessage;
  /** An earlier run may have shown one: it is the one to complete. */
  readonly isRepeated: boolean;
}

export function createShownDraft({ store, logger, traceId, message, isRepeated }: ShownDraftParts): ShownDraft {
  let draft: ReplyDraft | undefined;
  let shown = "";
  let isShown = false;
  const keep = (messageId: string) => {
    isShown = true;
    store
      .keepDraftMessage(traceId, messageId)
      .catch((error) => logger.warn("what is shown of an answer could not be noted", { traceId, error }));
  };
  return {
    begin(link) {
      draft = link?.draft?.(message.conversation, message.platformMessageId, keep);
    },
    grow(text) {
      if (!draft) return;
      shown += text;
      draft.update(shown);
    },
    isShown: () => isShown,
    async end() {
      await draft?.end();
    },
    async messageId() {
      const own = await draft?.end();
      if (own !== undefined || !isRepeated) return own;
      return (await store.draftMessage(traceId)) ?? undefined;
    },
  };
}
