import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../harness/http/client.ts";

const INTERVAL_MS = 100;

/** Response times of a signed-in user during the flood, who loads the page, reads and sends a message every 100 ms. */
export interface AdministratorStats {
  readonly asked: number;
  readonly rejected: readonly string[];
  readonly medianMs: number;
  readonly p99Ms: number;
}

export async function workAsAdministrator(
  api: Client,
  session: string,
  isOver: () => boolean,
): Promise<AdministratorStats> {
  const waits: number[] = [];
  const rejected: string[] = [];
  const measureMs = async (method: string, path: string, body?: object) => {
    const before = performance.now();
    const answer = await api
      .send(method, path, body && { body })
      .catch((error: Error) => ({ status: 0, text: error.message }));
    waits.push(performance.now() - before);
    if (answer.status !== 200) rejected.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 100)}`);
  };
  while (!isOver()) {
    await Promise.all([
      measureMs("GET", "/"),
      measureMs("GET", "/api/sessions"),
      measureMs("POST", `/api/sessions/${session}/chat`, { content: "hello" }),
      pause(INTERVAL_MS),
    ]);
  }
  waits.sort((a, b) => a - b);
  const at = (share: number) => Math.round(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0);
  return { asked: waits.length, rejected, medianMs: at(0.5), p99Ms: at(0.99) };
}
