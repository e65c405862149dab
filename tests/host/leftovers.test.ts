import { expect, test, vi } from "vitest";
import { startParley } from "../harness/parley.ts";
import { openSocket } from "../harness/socket.ts";

const WATCHED = /Timeout|TCP|MessagePort/;
const watched = () => process.getActiveResourcesInfo().filter((kind) => WATCHED.test(kind));
const sockets = () => watched().filter((kind) => kind !== "Timeout");
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("after the stop of the whole service no timer, socket or thread of it is left, however often it ran", async () => {
  // Test files share a process: connections that were kept alive before this one end by themselves first.
  await vi.waitFor(() => expect(sockets()).toEqual([]), { timeout: 8_000, interval: 50 }).catch(() => {});
  const before = { sockets: sockets().length, all: watched().length };
  for (let round = 0; round < 3; round += 1) {
    const parley = await startParley();
    const api = await parley.signIn();
    const { id } = await api.post<{ id: string }>("/api/sessions", {});
    const socket = await openSocket(api);
    await socket.ask({ type: "join_session", session_id: id });
    await api.post(`/api/sessions/${id}/chat`, { content: "hello" });
    await parley[Symbol.asyncDispose]();
    socket[Symbol.dispose]();
    for (let count = 0; count < 50 && sockets().length > before.sockets; count += 1) await turn();
    // The test runner keeps one timer of its own.
    expect(sockets().length, sockets().join()).toBeLessThanOrEqual(before.sockets);
    expect(watched().length).toBeLessThanOrEqual(before.all + 1);
  }
});
