import type { ChannelLink, InboundMessage, Logger, ReplyDraft } from "@parley/core";
import type { GatewayStore } from "../../store/gateway-store.ts";

/** The platform message that shows a reply while it is generated, on platforms that can edit messages. */
export interface StreamingDraft {
  begin(link: ChannelLink | undefined): void;
  /** Appends text to the reply. */
  append(text: string): void;
  /** Restarts the reply; the message shows the new one from its next piece on. */
  restart(): void;
  /** True once the message was sent. */
  isVisible(): boolean;
  /** Ends the draft: nothing is added to it afterwards. */
  end(): Promise<void>;
  /** Ends the draft; returns the message's id, undefined where none was sent. */
  messageId(): Promise<string | undefined>;
}

export interface StreamingDraftDeps {
  readonly store: Pick<GatewayStore, "saveDraftMessage" | "findDraftMessage">;
  readonly logger: Logger;
  readonly traceId: string;
  readonly message: InboundMessage;
  /** True when an earlier run may have sent a draft, which is then continued. */
  readonly isRepeated: boolean;
}

export function createStreamingDraft(deps: StreamingDraftDeps): StreamingDraft {
  const { store, logger, traceId, message, isRepeated } = deps;
  let draft: ReplyDraft | undefined;
  let shownText = "";
  let isVisible = false;
  const onCreated = (messageId: string) => {
    isVisible = true;
    store
      .saveDraftMessage(traceId, messageId)
      .catch((error) => logger.warn("what is shown of an answer could not be noted", { traceId, error }));
  };
  return {
    begin(link) {
      draft = link?.draft?.(message.conversation, message.platformMessageId, onCreated);
    },
    append(text) {
      if (!draft) return;
      shownText += text;
      draft.update(shownText);
    },
    restart() {
      shownText = "";
    },
    isVisible: () => isVisible,
    async end() {
      await draft?.end();
    },
    async messageId() {
      const own = await draft?.end();
      if (own !== undefined || !isRepeated) return own;
      return (await store.findDraftMessage(traceId)) ?? undefined;
    },
  };
}
