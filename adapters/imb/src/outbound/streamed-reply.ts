import { DeliveryError, type OutboundMessage, type ReplyDraft } from "@parley/core";
import type { BotApi } from "../bot-api.ts";
import { type FormattedText, sendFormatted, toPartialText } from "./format-reply.ts";
import { toTarget } from "./to-chat.ts";

const MIN_FIRST_CHARS = 20;
const FIRST_DELAY_MS = 800;
/** Intervals of edits in milliseconds, near the platform's rate limits. */
const EDIT_INTERVAL_MS = { private: 1_200, group: 3_500 };

export interface DraftOptions {
  readonly api: BotApi;
  readonly conversation: OutboundMessage["conversation"];
  /** Fields that make the first message a reply. */
  readonly reply: object;
  readonly onShown: (messageId: string) => void;
  readonly signal: AbortSignal;
  /** Called when the platform asks to wait, so that the complete reply waits too. */
  readonly onPaused: (ms: number) => void;
  readonly onError: (error: unknown) => void;
}

interface SentMessage {
  readonly message_id: number;
  readonly chat: { readonly id: number };
}

/** Creates a message that grows by edits, one at a time and within the platform's rate limits. */
export function createDraft(deps: DraftOptions): ReplyDraft {
  const { api, conversation, reply, onShown, signal, onPaused, onError } = deps;
  const target = toTarget(conversation.id);
  const everyMs = conversation.isGroup ? EDIT_INTERVAL_MS.group : EDIT_INTERVAL_MS.private;
  let text = "";
  /** The text sent last, in full and in its visible part. */
  let last = { whole: "", visible: "" };
  let sent: SentMessage | undefined;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let waitMs = FIRST_DELAY_MS;
  let isOver = false;

  const putMessage = async (body: FormattedText) => {
    if (sent) await api.call("editMessageText", { ...target, message_id: sent.message_id, ...body }, signal);
    else {
      sent = await api.call<SentMessage>("sendMessage", { ...target, ...reply, ...body }, signal, {
        unclearFailure: "ambiguous",
      });
      onShown(`${sent.chat.id}:${sent.message_id}`);
    }
  };
  const sendUpdate = async () => {
    const whole = text;
    const visible = toPartialText(whole);
    if (visible === last.visible || isOver) {
      last = { ...last, whole };
      return;
    }
    try {
      await sendFormatted(visible, putMessage);
      last = { whole, visible };
      waitMs = everyMs;
    } catch (error) {
      onError(error);
      // A failed first message may have arrived, so it is not sent again: the complete reply follows.
      if (!sent) isOver = true;
      const askedMs = DeliveryError.is(error) ? (error.retryAfterMs ?? 0) : 0;
      if (askedMs > 0) onPaused(askedMs);
      waitMs = askedMs || everyMs;
    }
  };
  const scheduleUpdate = () => {
    if (timer || working || isOver) return;
    const delay = sent || text.length < MIN_FIRST_CHARS ? waitMs : 0;
    timer = setTimeout(() => {
      timer = undefined;
      working = sendUpdate().finally(() => {
        working = undefined;
        if (text !== last.whole) scheduleUpdate();
      });
    }, delay);
  };
  return {
    update(whole) {
      text = whole;
      if (!sent && text.length >= MIN_FIRST_CHARS && timer && waitMs === FIRST_DELAY_MS) {
        clearTimeout(timer);
        timer = undefined;
      }
      scheduleUpdate();
    },
    async end() {
      isOver = true;
      clearTimeout(timer);
      await working;
      return sent && `${sent.chat.id}:${sent.message_id}`;
    },
  };
}
