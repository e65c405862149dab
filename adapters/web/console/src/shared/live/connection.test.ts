import { describe, expect, test } from "vitest";
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  createConnectionState,
  type OutgoingMessage,
  stepConnection,
} from "./connection.ts";
import type { Frame } from "./conversation.ts";

const SESSION = "sess_1";
const hello: OutgoingMessage = { session_id: SESSION, content: "hello", temp_id: "t-1" };
const ready = (epoch = "e1"): ConnectionEvent => ({ type: "frame", frame: { type: "ready", epoch } });
const receive = (frame: Frame): ConnectionEvent => ({ type: "frame", frame });
const receiveJoined = (seq: number) => receive({ type: "joined_session", session_id: SESSION, seq, running: null });
const receiveEvent = (seq: number) => receive({ type: "new_message", session_id: SESSION, seq });
const close = (code: number): ConnectionEvent => ({ type: "closed", code });

/** Runs events in order; returns the state and the effects of the last one. */
function run(...events: readonly ConnectionEvent[]): {
  readonly link: ConnectionState;
  readonly effects: readonly ConnectionEffect[];
} {
  return runFrom(createConnectionState([]), ...events);
}
function runFrom(start: ConnectionState, ...events: readonly ConnectionEvent[]) {
  let link = start;
  let effects: readonly ConnectionEffect[] = [];
  for (const one of events) [link, effects] = stepConnection(link, one);
  return { link, effects };
}
const toSentFrames = (effects: readonly ConnectionEffect[]) =>
  effects.flatMap((effect) => (effect.type === "send" && effect.frame.type !== "web_visibility" ? [effect.frame] : []));
const toNotifiedTypes = (effects: readonly ConnectionEffect[]) =>
  effects.flatMap((effect) => (effect.type === "notify" ? [effect.frame.type] : []));

const open: readonly ConnectionEvent[] = [
  { type: "start" },
  ready(),
  { type: "join", sessionId: SESSION },
  receiveJoined(7),
];

describe("lists in the console", () => {
  const ofConsole = (seq: number) => receive({ type: "resource_changed", seq });
  const resync = [{ type: "notify", frame: { type: "resync", session_id: "@console" } }];
  const toNotifiedTypes = (effects: readonly ConnectionEffect[]) => effects.filter(({ type }) => type === "notify");

  test("are fetched again at the first connection, because they may have changed since the page was loaded", () => {
    expect(toNotifiedTypes(run({ type: "start" }, ready()).effects)).toEqual(resync);
  });

  test("are fetched again after a disconnection whose missed events are unknown", () => {
    expect(toNotifiedTypes(run({ type: "start" }, ready(), close(1006), { type: "retry" }, ready()).effects)).toEqual(
      resync,
    );
  });

  test("are not fetched again when missed events are replayed", () => {
    const back = run({ type: "start" }, ready(), ofConsole(3), close(1006), { type: "retry" }, ready());
    expect(toNotifiedTypes(back.effects)).toEqual([]);
    expect(toSentFrames(back.effects)).toEqual([{ type: "resume", epoch: "e1", streams: { "@console": 3 } }]);
  });
});

describe("an expired login", () => {
  const out = () => runFrom(createConnectionState([]), ...open, close(4401), { type: "enqueue", message: hello });

  test("that is renewed connects, and sends the messages written meanwhile", () => {
    expect(out().link.phase).toBe("ended");
    const back = runFrom(out().link, { type: "signed-in" });
    expect(back.effects).toEqual([{ type: "open" }]);
    expect(toSentFrames(runFrom(back.link, ready()).effects)).toContainEqual(
      expect.objectContaining({ content: "hello" }),
    );
  });

  test("does not end an open connection", () => {
    expect(runFrom(createConnectionState([]), ...open, { type: "signed-in" }).effects).toEqual([]);
  });
});

describe("joining a conversation", () => {
  test("waits for the server's greeting", () => {
    const early = run({ type: "start" }, { type: "join", sessionId: SESSION });
    expect(toSentFrames(early.effects)).toEqual([]);
    expect(toSentFrames(runFrom(early.link, ready()).effects)).toEqual([{ type: "join_session", session_id: SESSION }]);
  });

  test("fetches the messages once the first event number is known", () => {
    expect(toNotifiedTypes(run(...open).effects)).toEqual(["joined_session", "resync"]);
  });

  test("happens once, however often it is requested", () => {
    expect(run(...open, { type: "join", sessionId: SESSION }).effects).toEqual([]);
  });

  test("a stream that lost an event causes no second fetch", () => {
    const torn = run(...open, { type: "stream-gap", sessionId: SESSION });
    expect(toSentFrames(torn.effects)).toEqual([{ type: "join_session", session_id: SESSION }]);
    expect(toNotifiedTypes(runFrom(torn.link, receiveJoined(7)).effects)).toEqual(["joined_session"]);
  });
});

describe("subscribing to a topic", () => {
  const watch: ConnectionEvent = { type: "watch", topic: "gateway" };
  const subscribe = { type: "subscribe", id: "watching", topics: ["gateway"] };

  test("is requested once the connection is open, once", () => {
    const early = run({ type: "start" }, watch);
    expect(toSentFrames(early.effects)).toEqual([]);
    expect(toSentFrames(runFrom(early.link, ready()).effects)).toEqual([subscribe]);
    expect(toSentFrames(run(...open, watch).effects)).toEqual([subscribe]);
    expect(run(...open, watch, watch).effects).toEqual([]);
  });

  test("is confirmed when it takes effect, because earlier events were missed", () => {
    const ack = (ok: boolean) => receive({ type: "ack", id: "watching", ok });
    expect(toNotifiedTypes(run(...open, watch, ack(true)).effects)).toEqual(["watching"]);
    expect(toNotifiedTypes(run(...open, watch, ack(false)).effects)).toEqual([]);
  });

  test("continues after a reconnection, until it is ended", () => {
    const again: readonly ConnectionEvent[] = [close(1006), { type: "retry" }, ready()];
    expect(toSentFrames(run(...open, watch, ...again).effects)).toContainEqual(subscribe);
    const ended = run(...open, watch, { type: "unwatch", topic: "gateway" });
    expect(toSentFrames(ended.effects)).toEqual([{ type: "unsubscribe", topics: ["gateway"] }]);
    expect(toSentFrames(runFrom(ended.link, ...again).effects)).not.toContainEqual(subscribe);
  });
});

describe("events", () => {
  test("are delivered once: a number that was already received is dropped", () => {
    const once = run(...open, receiveEvent(8));
    expect(toNotifiedTypes(once.effects)).toEqual(["new_message"]);
    expect(toNotifiedTypes(runFrom(once.link, receiveEvent(8)).effects)).toEqual([]);
  });

  test("with a gap before them cause the messages to be fetched", () => {
    expect(toNotifiedTypes(run(...open, receiveEvent(10)).effects)).toEqual(["new_message", "resync"]);
  });

  test("of a conversation that was left are not delivered", () => {
    expect(run(...open, { type: "leave", sessionId: SESSION }, receiveEvent(8)).effects).toEqual([]);
  });
});

describe("reconnecting", () => {
  test("to the same process continues after the newest event", () => {
    const back = run(...open, receiveEvent(8), close(1006), { type: "retry" }, ready());
    expect(toSentFrames(back.effects)).toEqual([{ type: "resume", epoch: "e1", streams: { [SESSION]: 8 } }]);
    expect(toNotifiedTypes(runFrom(back.link, receiveJoined(9)).effects)).toEqual(["joined_session"]);
    expect(toNotifiedTypes(runFrom(back.link, receiveJoined(9), receiveEvent(9)).effects)).toEqual(["new_message"]);
  });

  test("to another process joins and fetches again", () => {
    const back = run(...open, receiveEvent(8), close(1006), { type: "retry" }, ready("e2"));
    expect(toSentFrames(back.effects)).toEqual([{ type: "join_session", session_id: SESSION }]);
    expect(toNotifiedTypes(runFrom(back.link, receiveJoined(1)).effects)).toEqual(["joined_session", "resync"]);
    expect(toNotifiedTypes(runFrom(back.link, receiveJoined(1), receiveEvent(2)).effects)).toEqual(["new_message"]);
  });

  test("is retried with growing delays of at most half a minute", () => {
    const longest: number[] = [];
    let { link } = run({ type: "start" });
    for (let count = 0; count < 10; count += 1) {
      const lost = runFrom(link, close(1006));
      link = runFrom(lost.link, { type: "retry" }).link;
      for (const effect of lost.effects) if (effect.type === "wait") longest.push(effect.maxMs);
    }
    expect(longest.slice(0, 3)).toEqual([1000, 2000, 4000]);
    expect(Math.max(...longest)).toBe(30_000);
  });

  test("to an overloaded service takes at least five seconds", () => {
    expect(run(...open, close(1013)).effects).toMatchObject([{ type: "wait", minMs: 5000 }]);
  });

  test("is not tried after the login has ended", () => {
    const out = run(...open, close(4401));
    expect(out.effects).toEqual([{ type: "signed-out" }]);
    expect(runFrom(out.link, { type: "retry" }).effects).toEqual([]);
  });

  test("checks the login when the connection never opened", () => {
    expect(run({ type: "start" }, close(1006)).effects).toContainEqual({ type: "check-login" });
    expect(run(...open, close(1006)).effects).not.toContainEqual({ type: "check-login" });
  });
});

describe("a message that a person sends", () => {
  const ack = (fields: object) => receive({ type: "ack", id: "t-1", ...fields });

  test("is queued without a connection, and sent after the greeting", () => {
    const effects = run({ type: "start" }, { type: "enqueue", message: hello });
    expect(effects.effects).toEqual([{ type: "store", message: hello }]);
    expect(toSentFrames(runFrom(effects.link, ready()).effects)).toMatchObject([
      { type: "send_message", temp_id: "t-1" },
    ]);
  });

  test("is sent again under the same id when no acknowledgement came", () => {
    const again = run(...open, { type: "enqueue", message: hello }, close(1006), { type: "retry" }, ready());
    expect(toSentFrames(again.effects)).toContainEqual(
      expect.objectContaining({ type: "send_message", temp_id: "t-1" }),
    );
  });

  test("is removed from the queue when the service has stored it", () => {
    const had = run(...open, { type: "enqueue", message: hello }, ack({ ok: true, trace_id: "gw_1" }));
    expect(had.link.outbox).toEqual([]);
    expect(had.effects).toContainEqual({ type: "remove", tempId: "t-1" });
    expect(toNotifiedTypes(had.effects)).toEqual(["local_ack"]);
  });

  test("and is rejected stays with the reason and is not sent again", () => {
    const rejected = run(...open, { type: "enqueue", message: hello }, ack({ ok: false, error: "archived" }));
    expect(rejected.link.outbox).toEqual([{ ...hello, error: "archived" }]);
    const later = runFrom(rejected.link, close(1006), { type: "retry" }, ready());
    expect(toSentFrames(later.effects).map(({ type }) => type)).toEqual(["resume"]);
  });

  test("survives a page reload", () => {
    const { effects } = runFrom(createConnectionState([hello]), { type: "start" }, ready());
    expect(toSentFrames(effects)).toMatchObject([{ type: "send_message", content: "hello", temp_id: "t-1" }]);
  });
});
