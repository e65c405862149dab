import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Flood } from "./kinds.ts";

/** Input of the sender thread. */
export interface FloodOrder {
  readonly flood: Flood;
  readonly address: string;
  readonly seconds: number;
}
export interface FloodResult {
  readonly sent: number;
  readonly bytesBack: number;
}

const TICK_MS = 20;
const GIVE_UP_MS = 500;

const { flood, address, seconds } = workerData as FloodOrder;
const { host, port } = new URL(address);
const idle: Socket[] = [];
const open = new Set<Socket>();
let sent = 0;
let bytesBack = 0;

const began = performance.now();
while (performance.now() - began < seconds * 1_000) {
  const due = ((performance.now() - began) / 1_000) * flood.perSecond;
  while (sent < due && (idle.length > 0 || open.size < flood.connections)) send(idle.pop() ?? openConnection());
  await pause(TICK_MS);
}
for (const socket of open) socket.destroy();
parentPort?.postMessage({ sent, bytesBack } satisfies FloodResult);

/** Opens a connection from a random loopback address, so that the service cannot group them. */
function openConnection(): Socket {
  const part = () => 1 + Math.floor(Math.random() * 250);
  const localAddress = `127.${part()}.${part()}.${part()}`;
  const socket = connect({ host: "127.0.0.1", port: Number(port), localAddress });
  open.add(socket);
  socket.on("close", () => {
    open.delete(socket);
    const at = idle.indexOf(socket);
    if (at >= 0) idle.splice(at, 1);
  });
  // The service may reject and cut off a connection, so errors are expected.
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    bytesBack += bytes.length;
    if (flood.reusesConnection && !idle.includes(socket)) idle.push(socket);
    else if (!flood.staysOpen && !flood.reusesConnection) socket.destroy();
  });
  if (!flood.staysOpen && !flood.reusesConnection) socket.setTimeout(GIVE_UP_MS, () => socket.destroy());
  return socket;
}

function send(socket: Socket): void {
  sent += 1;
  socket.write(flood.text.replaceAll("{host}", host).replaceAll("{n}", String(sent)));
}
