// Starts, uses and stops the service repeatedly, and prints after each round which of its handles remain. A separate program, so that
// handles of other tests are not counted.
import { setImmediate as turn } from "node:timers/promises";
import { openSocket } from "../harness/http/socket.ts";
import { startParley } from "../harness/parley.ts";

const WATCHED = /Timeout|TCP|MessagePort/;
const ROUNDS = 3;
const TURNS = 50;

const listHandles = () => process.getActiveResourcesInfo().filter((kind) => WATCHED.test(kind));

for (let round = 0; round < ROUNDS; round += 1) {
  const parley = await startParley();
  const api = await parley.signIn();
  const { id } = await api.post<{ id: string }>("/api/sessions", {});
  const socket = await openSocket(api);
  await socket.ask({ type: "join_session", session_id: id });
  await api.post(`/api/sessions/${id}/chat`, { content: "hello" });
  const used = listHandles();
  await parley[Symbol.asyncDispose]();
  socket[Symbol.dispose]();
  // The client ends of the connections close in the following turns of the loop.
  for (let count = 0; count < TURNS && listHandles().length > 0; count += 1) await turn();
  process.stdout.write(`${JSON.stringify({ used, left: listHandles() })}\n`);
}
