import { expect, test } from "vitest";
import { startParley } from "../harness/parley.ts";
import { openSocket } from "../harness/socket.ts";

const WATCHED = /Timeout|TCP|MessagePort/;
const watched = () => process.getActiveResourcesInfo().filter((kind) => WATCHED.test(kind));
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("after the stop of the whole service no timer, socket or thread of it is left, however often it ran", async () => {
  for (let round = 0; round < 3; round += 1) {
    const parley = await startParley();
    const api = await parley.signIn();
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: id });
    await api.post(`/api/sessions/${id}/chat`, { content: "hello" });
    await parley[Symbol.asyncDispose]();
    socket[Symbol.dispose]();
    for (let count = 0; count < 50 && watched().some((kind) => kind !== "Timeout"); count += 1) await turn();
    // The test runner keeps one timer of its own.
    expect(watched().filter((kind) => kind !== "Timeout")).toEqual([]);
    expect(watched().length).toBeLessThanOrEqual(1);
  }
});
