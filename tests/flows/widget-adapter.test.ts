import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSecrets, Redaction, SecretBox, silentLogger, systemClock } from "@parley/core";
import { createMemoryWindow } from "@parley/core/limits";
import { channelAdapterContract, type FakePlatform } from "@parley/testing";
import { afterEach } from "vitest";
import { createWidgetAdapter } from "../../adapters/widget/src/adapter.ts";
import { createWidgetEndpoint } from "../../adapters/widget/src/sockets/endpoint.ts";
import type { Room, Rooms } from "../../adapters/widget/src/sockets/room.ts";
import { createVisitorTokens } from "../../adapters/widget/src/visitors.ts";
import { openWidgetPage, type WidgetPage } from "../harness/http/widget-visitor.ts";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

channelAdapterContract("widget", async () => {
  const rooms: Rooms = new Map();
  const address = await serveRooms(rooms);
  let visitor: string | undefined;
  return {
    adapter: createWidgetAdapter({ rooms, clock: systemClock }),
    config: { allowed_origins: [], title: "Shop", files: false },
    maxInbound: 8_000,
    async connect() {
      const room = [...rooms.values()].at(-1) as Room;
      // The same visitor returns when the channel is opened again.
      const page = await openWidgetPage(address, {
        channelId: room.channel.id,
        ...(visitor !== undefined && { visitor }),
      });
      stops.push(() => page[Symbol.dispose]());
      visitor = page.visitor;
      return toPerson(page, [...room.connections].at(-1)?.visitorId ?? "");
    },
  };
});

/** Serves the sockets of the rooms alone, without a service behind them. */
async function serveRooms(rooms: Rooms): Promise<string> {
  const window = createMemoryWindow(60_000, () => systemClock.monotonic());
  const box = new Map<unknown, unknown>([
    [SecretBox, { seal: (text: string, owner: string) => `${owner}|${text}`, open: openPlainly }],
    [Redaction, { remember() {} }],
  ]);
  const secrets = createSecrets({ get: (key) => box.get(key) as never });
  const endpoint = createWidgetEndpoint({
    rooms,
    channels: () => ({ get: (id: string) => rooms.get(id)?.channel }) as never,
    sessions: () => ({
      find: async () => undefined,
      messages: async () => ({ items: [], total: 0, limit: 0, offset: 0 }),
    }),
    files: () => undefined,
    tokens: createVisitorTokens(() => secrets, systemClock),
    // A check may send more than people do.
    messageWindow: () => ({ ...window, count: async () => ({ waitMs: 0, counts: new Map() }) }),
    web: () => ({}),
    getBoundAddress: () => "127.0.0.1",
    clock: systemClock,
    monotonic: () => systemClock.monotonic(),
    log: silentLogger,
  });
  const server = createServer().on("upgrade", endpoint.take).listen(0, "127.0.0.1");
  await once(server, "listening");
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openPlainly(sealed: string, owner: string): string {
  return sealed.slice(owner.length + 1);
}

/** Creates a person who sees each message of a page once. */
function toPerson(page: WidgetPage, conversation: string): FakePlatform {
  let seen = page.frames.length;
  const isText = ({ type, role }: { readonly type: string; readonly role?: unknown }) =>
    type === "message" && role === "assistant";
  return {
    conversation,
    async say(id, text) {
      const answer = await page.say(text, id);
      if (answer.type !== "ack") throw new Error(String(answer.error));
    },
    async heard() {
      const frame = await page.next(isText, seen);
      seen = page.frames.indexOf(frame) + 1;
      return String(frame.text);
    },
    shown: () => [...new Map(page.frames.filter(isText).map(({ id, text }) => [id, String(text)])).values()],
    other: async () => page.send({ type: "ping" }),
    incomplete: [
      async () => page.send({ type: "message", text: "without an id" }),
      async () => page.send({ type: "message", temp_id: "80" }),
      async () => page.send({ type: "message", text: 7, temp_id: "81" }),
    ],
    async [Symbol.asyncDispose]() {
      page[Symbol.dispose]();
    },
  };
}
