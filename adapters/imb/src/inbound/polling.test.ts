import { AppError, type Logger } from "@parley/core";
import type { ConnectionStatus } from "@parley/core/channels";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBotApi } from "../bot-api.ts";
import { pollUpdates } from "./polling.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const createUpdate = (update_id: number, chat: number) => ({
  update_id,
  message: { message_id: update_id, from: { id: chat }, chat: { id: chat, type: "private" }, text: "hello" },
});

/** Polls a platform whose answers are given one by one; a request without an answer stays open. */
function startPolling(receive: (id: number) => Promise<void> = async () => {}) {
  const requests: { readonly offset?: number; readonly timeout: number }[] = [];
  const answers: unknown[] = [];
  const statuses: ConnectionStatus[] = [];
  const silent = () => {};
  const log = { debug: silent, info: silent, warn: silent, error: silent } as Partial<Logger> as Logger;
  const api = createBotApi({
    base: "http://platform.example",
    token: () => "42:secret",
    tokenVariable: "IMB_BOT_TOKEN",
    async fetch(url, init) {
      if (String(url).endsWith("/getWebhookInfo")) return Response.json({ ok: true, result: { url: "" } });
      requests.push(JSON.parse(String(init?.body)));
      if (answers.length > 0) return Response.json({ ok: true, result: answers.shift() });
      return new Promise((_, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    },
  });
  const polling = pollUpdates({
    api,
    io: { report: silent, log },
    receive: ({ update_id }) => receive(update_id),
    onStatus: (status) => void statuses.push(status),
    now: () => 0,
  });
  return { polling, requests, answers, statuses };
}

test("a request without an answer for ninety seconds is replaced by one on another connection", async () => {
  const { polling, requests, answers, statuses } = startPolling();
  answers.push([]);
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(89_000);
  expect(requests).toHaveLength(2);
  answers.push([]);
  await vi.advanceTimersByTimeAsync(1_000 + 1_000);
  await vi.waitFor(() => expect(requests).toHaveLength(4));
  expect(statuses.map(({ state }) => state)).toEqual(["connecting", "connected", "error", "connected"]);
  expect(statuses.at(-1)?.reconnects).toBe(1);
  await polling[Symbol.asyncDispose]();
  expect(statuses.at(-1)?.state).toBe("stopped");
});

test("an update is confirmed only after it was stored", async () => {
  const stored = Promise.withResolvers<void>();
  const { polling, requests, answers } = startPolling(() => stored.promise);
  answers.push([createUpdate(7, 501)]);
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toHaveLength(1);
  stored.resolve();
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  expect(requests[1]).toMatchObject({ offset: 8, timeout: 50 });
  await polling[Symbol.asyncDispose]();
});

test("an update that cannot be stored now holds back its chat, not the others, and is requested again", async () => {
  const received: number[] = [];
  let isBusy = true;
  const { polling, requests, answers } = startPolling(async (id) => {
    received.push(id);
    if (id === 8 && isBusy) throw new AppError("unavailable", "the disk is full", { retryAfterS: 3 });
  });
  answers.push([7, 8, 9, 10].map((id) => createUpdate(id, id % 2 === 0 ? 502 : 501)));
  await vi.waitFor(() => expect(received).toEqual([7, 8, 9]));
  isBusy = false;
  answers.push([8, 9, 10].map((id) => createUpdate(id, id % 2 === 0 ? 502 : 501)));
  await vi.advanceTimersByTimeAsync(3_000);
  await vi.waitFor(() => expect(requests).toHaveLength(3));
  expect(requests.map(({ offset }) => offset)).toEqual([undefined, 8, 11]);
  expect(received).toEqual([7, 8, 9, 8, 9, 10]);
  await polling[Symbol.asyncDispose]();
});

test("a server that answers at once with nothing is asked once a second", async () => {
  const { polling, requests, answers } = startPolling();
  answers.push(...Array.from({ length: 20 }, () => (answers.length % 2 ? "no list" : [{ no: "update" }])));
  await vi.waitFor(() => expect(requests).toHaveLength(2));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(requests.length).toBeLessThanOrEqual(7);
  await polling[Symbol.asyncDispose]();
});
