import { expect, test } from "vitest";
import { createStreams } from "./streams.ts";

const MINUTE_MS = 60_000;

function createTestStreams() {
  const clock = { at: 0, now: () => 0, monotonic: () => clock.at };
  const streams = createStreams(clock);
  const say = (session: string, text: string) =>
    streams.append({ type: "new_message", session_id: session, durable: true, payload: { text } });
  return { clock, streams, say };
}

test("an active session retains the events of the last five minutes, not all of them", () => {
  const { clock, streams, say } = createTestStreams();
  for (let minute = 0; minute < 20; minute += 1) {
    clock.at = minute * MINUTE_MS;
    say("s", `minute ${minute}`);
  }
  expect(streams.replayAfter("s", 10)).toEqual({ kind: "gap" });
  const found = streams.replayAfter("s", 15);
  expect(found.kind === "events" && found.events.map(({ seq }) => seq)).toEqual([16, 17, 18, 19, 20]);
});

test("the streams of very many sessions stay within a total size, and numbering continues", () => {
  const { streams, say } = createTestStreams();
  const text = "x".repeat(10_000);
  for (let session = 0; session < 3_000; session += 1) say(`s${session}`, text);
  expect(streams.replayAfter("s0", 0)).toEqual({ kind: "gap" });
  expect(streams.replayAfter("s2999", 0)).toMatchObject({ kind: "events", events: [{ seq: 1 }] });
  expect(say("s0", "again").seq).toBe(2);
});
