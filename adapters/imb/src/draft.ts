import { DeliveryError, type OutboundMessage, type ReplyDraft } from "@parley/core";
import type { BotApi } from "./bot-api.ts";
import { type FormattedText, partialText, sendFormatted } from "./html.ts";
import { targetOf } from "./target.ts";

const FIRST_CHARS = 20;
const FIRST_MS = 800;
/** About what the platform lets a chat and a group see in a minute. */
const EVERY_MS = { private: 1_200, group: 3_500 };

export interface DraftParts {
  readonly api: BotApi;
  readonly conversation: OutboundMessage["conversation"];
  /** Fields of the first message that make it an answer. */
  readonly reply: object;
  readonly shown: (messageId: string) => void;
  readonly signal: AbortSignal;
  /** The platform asks to wait: the whole answer waits as well. */
  readonly paused: (ms: number) => void;
  readonly note: (error: unknown) => void;
}

interface Sent {
  readonly message_id: number;
  readonly chat: { readonly id: number };
}

/** A message that grows by edits, one at a time and no faster than the platform likes. */
export function createDraft({ api, conversation, reply, shown, signal, paused, note }: DraftParts): ReplyDraft {
  const target = targetOf(conversation.id);
  const everyMs = conversation.isGroup ? EVERY_MS.group : EVERY_MS.private;
  let text = "";
  /** The text that was shown last, whole and as it was shown. */
  let last = { whole: "", visible: "" };
  let sent: Sent | undefined;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let waitMs = FIRST_MS;
  let isOver = false;

  const put = async (body: FormattedText) => {
    if (sent) await api.call("editMessageText", { ...target, message_id: sent.message_id, ...body }, signal);
    else {
      sent = await api.call<Sent>("sendMessage", { ...target, ...reply, ...body }, signal, "ambiguous");
      shown(`${sent.chat.id}:${sent.message_id}`);
    }
  };
  const show = async () => {
    const whole = text;
    const visible = partialText(whole);
    if (visible === last.visible || isOver) {
      last = { ...last, whole };
      return;
    }
    try {
      await sendFormatted(visible, put);
      last = { whole, visible };
      waitMs = everyMs;
    } catch (error) {
      note(error);
      // A first message whose fate is not known must not be sent again beside the answer itself.
      if (!sent) isOver = true;
      const askedMs = DeliveryError.is(error) ? (error.retryAfterMs ?? 0) : 0;
      if (askedMs > 0) paused(askedMs);
      waitMs = askedMs || everyMs;
    }
  };
  const plan = () => {
    if (timer || working || isOver) return;
    const delay = sent || text.length < FIRST_CHARS ? waitMs : 0;
    timer = setTimeout(() => {
      timer = undefined;
      working = show().finally(() => {
        working = undefined;
        if (text !== last.whole) plan();
      });
    }, delay);
  };
  return {
    update(whole) {
      text = whole;
      if (!sent && text.length >= FIRST_CHARS && timer && waitMs === FIRST_MS) {
        clearTimeout(timer);
        timer = undefined;
      }
      plan();
    },
    async end() {
      isOver = true;
      clearTimeout(timer);
      await working;
      return sent && `${sent.chat.id}:${sent.message_id}`;
    },
  };
}
