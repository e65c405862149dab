import { derivedId, type LiveEvents, type RunningTurn, type StepsCard, type TurnEvent } from "@parley/core";

const FLUSH_MS = 40;
const FLUSH_CHARS = 256;
/** Interval of updates to a card. A card is always sent as a whole, so it is updated less often than the text. */
const CARD_MS = 250;

/** Streams the reply of one turn to the clients that show its conversation. */
export interface TurnStream {
  /** True when a later stage may change the text, so that nothing is published before `end`. */
  readonly isGuarded: boolean;
  emit(event: TurnEvent): void;
  /** Completes the reply. `text` is the whole text of a guarded one, of which nothing was published before. */
  end(reason: FinishReason, text?: string): void;
  /** Returns the partial reply, for clients that connect later. */
  getPartialReply(): Pick<RunningTurn, "messageId" | "sender" | "text" | "card">;
}
export type FinishReason = "stop" | "length" | "stopped" | "filtered" | "error";

export interface TurnStreamDeps {
  readonly traceId: string;
  readonly sessionId: string;
  readonly events: LiveEvents;
  /** True when a later stage may change the text, so that nothing is published before `end`. */
  readonly isGuarded: boolean;
}

export function createTurnStream({ traceId, sessionId, events, isGuarded }: TurnStreamDeps): TurnStream {
  let messageId: string | null = null;
  let sender = "";
  let sent = "";
  let buffered = "";
  let index = 0;
  let isStarted = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  const publish = (type: string, payload: Readonly<Record<string, unknown>>) =>
    events.publish({ type, session_id: sessionId, durable: false, payload });
  const announce = () => {
    isStarted = true;
    publish("ai_stream_start", {
      trace_id: traceId,
      message: { id: messageId, role: "assistant", sender, content: "" },
    });
  };
  const start = () => {
    if (!isStarted && messageId !== null) announce();
  };
  /** Starts the stream anew, also for clients. */
  const restart = () => {
    clearTimeout(timer);
    timer = undefined;
    buffered = "";
    sent = "";
    index = 0;
    if (isStarted) announce();
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (buffered === "") return;
    start();
    publish("ai_stream_chunk", { message_id: messageId, index, chunk: buffered, is_end: false });
    index += 1;
    sent += buffered;
    buffered = "";
  };

  const card = createStepsCard(derivedId("card", traceId, "thinking"), isGuarded, (lastCard) =>
    publish("thinking_card", { ...lastCard }),
  );

  return {
    isGuarded,
    emit(event) {
      if (event.type === "steps") {
        card.show(event);
        return;
      }
      if (event.type === "progress") {
        publish("progress_message", { trace_id: traceId, text: event.text, level: event.level });
        return;
      }
      messageId = event.messageId;
      if (event.type === "start") {
        sender = event.sender;
        restart();
        if (!isGuarded) start();
        return;
      }
      if (isGuarded) return;
      buffered += event.text;
      if (buffered.length >= FLUSH_CHARS) flush();
      else timer ??= setTimeout(flush, FLUSH_MS);
    },
    end(reason, text) {
      card.end();
      if (messageId === null) return;
      if (isGuarded && text !== undefined) buffered = text;
      flush();
      if (!isStarted) return;
      publish("ai_stream_end", { message_id: messageId, is_end: true, finish_reason: reason });
      isStarted = false;
      isEnded = true;
    },
    getPartialReply() {
      const shown = card.shown();
      return { messageId: isStarted || isEnded ? messageId : null, sender, text: sent, ...(shown && { card: shown }) };
    },
  };
}

type Steps = Extract<TurnEvent, { readonly type: "steps" }>;

/** Publishes the AI's steps before its reply. The last card is marked as complete, whatever the outcome of the turn. */
function createStepsCard(id: string, isGuarded: boolean, publish: (card: StepsCard) => void) {
  let newest: Steps | undefined;
  let lastCard: StepsCard | undefined;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const send = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!newest) return;
    const { messageId: parent_message_id, steps: all, isComplete: is_complete } = newest;
    isOver = is_complete;
    // A filter may still remove the content of a thinking step, so only the step's existence is published.
    const steps = isGuarded ? all.map((step) => (step.type === "thinking" ? { ...step, text: "" } : step)) : all;
    lastCard = { id, parent_message_id, steps, is_complete };
    publish(lastCard);
  };
  return {
    show(event: Steps) {
      const isFirst = newest === undefined;
      newest = event;
      if (isFirst || event.isComplete) send();
      else timer ??= setTimeout(send, CARD_MS);
    },
    end() {
      if (!newest || isOver) return;
      newest = { ...newest, isComplete: true };
      send();
    },
    shown: () => lastCard,
  };
}
