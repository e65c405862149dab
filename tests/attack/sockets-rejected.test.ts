import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

const FILLER = "x".repeat(70_000);
const MANY = 100;

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley({ env: { IMA_ACCESS_TOKEN: "sesame" } });
  api = await parley.signIn();
});
afterAll(() => parley[Symbol.asyncDispose]());

/** Counts the sockets of this process: those of the service and of the tests alike. */
const openConnections = () => process.getActiveResourcesInfo().filter((kind) => kind === "TCPSocketWrap").length;

const upgradeAt = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${"A".repeat(22)}==\r\n\r\n`;

const plain = "GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

async function openRawSocket() {
  const socket = connect({ port: Number(new URL(parley.address).port), host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Sends a request followed by more data, reads the beginning of the response and disconnects. */
async function sendAndClose(asking: string, before = ""): Promise<void> {
  const socket = await openRawSocket();
  if (before) {
    socket.write(before);
    await once(socket, "data");
  }
  socket.write(asking + FILLER);
  await Promise.race([once(socket, "data"), once(socket, "close")]);
  socket.destroy();
}

describe("a rejected upgrade is closed whatever the client still sends", () => {
  test.each([
    ["at the console's door", "/api/ws", ""],
    ["where there is no door", "/nowhere", ""],
    ["on a connection that was answered before", "/nowhere", plain],
    ["at imA's door", "/ws/imA", ""],
    ["when it is none but nonsense", "", ""],
  ])("%s", async (_what, path, before) => {
    const asking = path === "" ? "nonsense\r\n\r\n" : upgradeAt(path);
    const atRest = openConnections();
    for (let done = 0; done < MANY; done += 20)
      await Promise.all(Array.from({ length: 20 }, () => sendAndClose(asking, before)));
    await eventually(() => expect(openConnections()).toBeLessThanOrEqual(atRest));
    expect((await api.send("GET", "/api/sessions")).status).toBe(200);
  });

  test("at the endpoint of an open imA channel", async () => {
    await api.put("/api/channels/imA", { enabled: true, config: { mode: "reverse_ws" } });
    const atRest = openConnections();
    await Promise.all(Array.from({ length: 20 }, () => sendAndClose(upgradeAt("/ws/imA"))));
    await eventually(() => expect(openConnections()).toBeLessThanOrEqual(atRest));
  });

  test.each([
    ["an upgrade", plain.repeat(400) + upgradeAt("/nowhere")],
    ["nonsense", "nonsense\r\n\r\n"],
  ])("also for clients that send %s and neither read nor close", async (_what, asking) => {
    const atRest = openConnections();
    const sockets = await Promise.all(Array.from({ length: 20 }, () => openRawSocket()));
    for (const socket of sockets) socket.pause().write(asking + FILLER);
    // Only the client ends of the test remain.
    await eventually(() => expect(openConnections()).toBeLessThanOrEqual(atRest + sockets.length));
    for (const socket of sockets) socket.destroy();
  });
});
