import type { Message } from "@parley/core";
import { expect, test } from "vitest";
import { type ConnectionEvent, type ConnectionState, createConnectionState, stepConnection } from "./connection.ts";
import { type Conversation, EMPTY_CONVERSATION, type Frame } from "./conversation.ts";
import { applyNewestPage, markStale } from "./history-pages.ts";
import { reduceFrame } from "./reduce-frame.ts";

const SESSION = "sess_1";

/** A fake service: stored messages, numbered events, and a streaming reply. */
function createService() {
  let epoch = 1;
  let events: Frame[] = [];
  let seq = 0;
  const stored: Message[] = [];
  let running: { id: string; trace: string; text: string; index: number } | undefined;
  let messageCount = 0;
  const listeners = new Set<(frame: Frame) => void>();
  const publish = (frame: Frame) => {
    const numbered = frame.type === "new_message" ? { ...frame, seq: ++seq } : frame;
    if (numbered.seq !== undefined) events.push(numbered);
    for (const listener of listeners) listener({ ...numbered, session_id: SESSION });
  };
  const store = (id: string, role: string, content: string, trace_id: string) => {
    const order = (stored.at(-1)?.seq ?? 0) + 10;
    const message = { id, seq: order, role, content, trace_id, temp_id: null, revision: 1 };
    stored.push(message as unknown as Message);
    publish({ type: "new_message", message });
  };
  return {
    stored,
    running: () => running,
    /** Simulates one event: a turn starts, continues or ends. */
    advance(random: () => number) {
      if (!running) {
        messageCount += 1;
        store(`user${messageCount}`, "user", `question ${messageCount}`, `gw_${messageCount}`);
        running = { id: `reply${messageCount}`, trace: `gw_${messageCount}`, text: "", index: 0 };
        publish({ type: "ai_stream_start", trace_id: running.trace, message: { id: running.id, content: "" } });
      } else if (running.index < 4 || random() < 0.7) {
        const chunk = `${running.id}:${running.index} `;
        publish({ type: "ai_stream_chunk", message_id: running.id, index: running.index, chunk });
        running = { ...running, text: running.text + chunk, index: running.index + 1 };
      } else {
        publish({ type: "ai_stream_end", message_id: running.id, finish_reason: "stop" });
        store(running.id, "assistant", running.text, running.trace);
        running = undefined;
      }
    },
    restart() {
      epoch += 1;
      events = [];
      seq = 0;
    },
    epoch: () => `e${epoch}`,
    /** Returns the frames that a joining or resuming client gets. */
    join(after: number | undefined): readonly Frame[] {
      const first: Frame = {
        type: "joined_session",
        session_id: SESSION,
        seq,
        running: running ? { trace_id: running.trace, message_id: running.id } : null,
      };
      const replayed =
        after === undefined
          ? []
          : events.filter((one) => (one.seq ?? 0) > after).map((one) => ({ ...one, session_id: SESSION }));
      const late: Frame[] = running
        ? [
            {
              type: "ai_stream_start",
              session_id: SESSION,
              trace_id: running.trace,
              message: { id: running.id, content: running.text },
            },
          ]
        : [];
      return [first, ...replayed, ...late];
    },
    listen(listener: (frame: Frame) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

type Service = ReturnType<typeof createService>;

/** A page that shows the session; the test controls the network and the responses. */
function createPage(service: Service) {
  let link: ConnectionState = createConnectionState([]);
  let conversation: Conversation = EMPTY_CONVERSATION;
  let stop = () => {};
  let isOpen = false;
  const fetches: { demand: number; page: readonly Message[] }[] = [];
  const shownAt = { demand: 0 };
  const settle = () => {
    if (conversation.requestNumber === shownAt.demand) return;
    shownAt.demand = conversation.requestNumber;
    // The service reads when it is asked; the answer arrives later.
    fetches.push({ demand: conversation.requestNumber, page: [...service.stored] });
  };
  const step = (event: ConnectionEvent) => {
    const [next, effects] = stepConnection(link, event);
    link = next;
    for (const effect of effects) {
      if (effect.type === "open") isOpen = true;
      if (effect.type === "notify" && effect.frame.session_id === SESSION)
        conversation = reduceFrame(conversation, effect.frame);
      if (effect.type !== "send") continue;
      const { type, streams, session_id } = effect.frame;
      if (type === "join_session" && session_id === SESSION)
        for (const frame of service.join(undefined)) receive(frame);
      const after = (streams as Record<string, number> | undefined)?.[SESSION];
      if (type === "resume" && after !== undefined) for (const frame of service.join(after)) receive(frame);
    }
    if (conversation.hasStreamGap) step({ type: "stream-gap", sessionId: SESSION });
    settle();
  };
  const receive = (frame: Frame) => step({ type: "frame", frame });
  step({ type: "join", sessionId: SESSION });
  conversation = markStale(conversation);
  settle();
  return {
    conversation: () => conversation,
    connect() {
      if (link.phase === "open") return;
      step({ type: "retry" });
      if (!isOpen) return;
      stop = service.listen(receive);
      receive({ type: "ready", epoch: service.epoch() });
    },
    disconnect() {
      if (link.phase !== "open") return;
      stop();
      isOpen = false;
      step({ type: "closed", code: 1006 });
    },
    respond() {
      const next = fetches.shift();
      if (next) conversation = applyNewestPage(conversation, next.page, next.page.length, next.demand);
      settle();
    },
    hasRequests: () => fetches.length > 0,
    leave: () => stop(),
  };
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

test.each(Array.from({ length: 200 }, (_, seed) => seed + 1))(
  "the text is always correct and ends complete, whatever the network does (seed %i)",
  (seed) => {
    const random = createRandom(seed);
    const service = createService();
    let page = createPage(service);
    for (let count = 0; count < 150; count += 1) {
      const choice = random();
      if (choice < 0.55) service.advance(random);
      else if (choice < 0.7) page.connect();
      else if (choice < 0.78) page.disconnect();
      else if (choice < 0.92) page.respond();
      else if (choice < 0.96) {
        page.leave();
        page = createPage(service);
      } else {
        page.disconnect();
        service.restart();
      }
      const { messages, partialReply } = page.conversation();
      const contents = new Map(service.stored.map(({ id, content }) => [id, content]));
      for (const { id, content } of messages) expect(content).toBe(contents.get(id));
      expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
      const whole = contents.get(partialReply?.id ?? "") ?? service.running()?.text ?? "";
      expect(whole.startsWith(partialReply?.text ?? "")).toBe(true);
      expect(messages.some(({ id }) => id === partialReply?.id)).toBe(false);
    }
    page.connect();
    while (page.hasRequests()) page.respond();
    while (service.running()) service.advance(random);
    expect(page.conversation().messages).toEqual(service.stored);
    expect(page.conversation()).toMatchObject({
      partialReply: undefined,
      runningTraceId: undefined,
      freshness: "fresh",
    });
  },
);
