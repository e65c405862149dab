import type { ChannelLink, InboundMessage, Logger, ReplyDraft } from "@parley/core";
import type { GatewayStore } from "../../store/gateway-store.ts";

/** The platform message that shows a reply while it is generated, where messages can be edited. */
export interface StreamingDraft {
  begin(link: ChannelLink | undefined): void;
  /** Appends text to the reply. */
  append(text: string): void;
  /** Restarts the reply with a prefix. The message shows the new text from its next piece on. */
  restart(prefix?: string): void;
  /** True when text was given to the platform, whether or not it has arrived. */
  hasText(): boolean;
  /** True when the message was sent. */
  isVisible(): boolean;
  /** Ends the draft. Resolves when no update of it is sent any more. */
  end(): Promise<void>;
  /** Ends the draft and returns the message's id; undefined when no message was sent. */
  finish(): Promise<string | undefined>;
}

export interface StreamingDraftDeps {
  readonly store: Pick<GatewayStore, "saveDraftMessage" | "findDraftMessage">;
  readonly logger: Logger;
  readonly traceId: string;
  readonly message: InboundMessage;
  /** True when an earlier run may have sent a draft. That draft is continued then. */
  readonly isRepeated: boolean;
}

export function createStreamingDraft(deps: StreamingDraftDeps): StreamingDraft {
  const { store, logger, traceId, message, isRepeated } = deps;
  let draft: ReplyDraft | undefined;
  let shownText = "";
  let prefix = "";
  let isVisible = false;
  const onCreated = (messageId: string) => {
    isVisible = true;
    store
      .saveDraftMessage(traceId, messageId)
      .catch((error) => logger.warn("the streaming draft of an answer could not be recorded", { traceId, error }));
  };
  return {
    begin(link) {
      draft = link?.draft?.(message.conversation, message.platformMessageId, onCreated);
    },
    append(text) {
      if (!draft) return;
      shownText += text;
      draft.update(prefix + shownText);
    },
    restart(newPrefix = "") {
      prefix = newPrefix;
      shownText = "";
    },
    hasText: () => draft !== undefined && shownText !== "",
    isVisible: () => isVisible,
    async end() {
      await draft?.end();
    },
    async finish() {
      const own = await draft?.end();
      if (own !== undefined || !isRepeated) return own;
      return (await store.findDraftMessage(traceId)) ?? undefined;
    },
  };
}
