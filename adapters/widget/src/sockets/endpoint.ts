import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  AppError,
  acceptedLanguage,
  type Channels,
  HTTP_STATUS,
  type Logger,
  notFound,
  type SocketEndpoint,
  toSharedError,
} from "@parley/core";
import { createClientFacts, rejectUpgrade } from "@parley/core/http";
import { networkOf } from "@parley/core/limits";
import { WebSocketServer } from "ws";
import { isAllowedOrigin } from "../settings.ts";
import { widgetTexts } from "../texts.ts";
import { type ActionDeps, handleFrame } from "./actions.ts";
import { CLOSE_CODES, type Connection, createConnection } from "./connection.ts";
import { parseFrame } from "./frames.ts";
import type { Room, Rooms } from "./room.ts";

export const BASE_PATH = "/api/widget";
const SOCKET_PATH = /^\/api\/widget\/([A-Za-z0-9_-]{2,64})\/socket$/;
const MAX_FRAME_BYTES = 64 * 1024;
const MAX_SOCKETS = 2_000;
const MAX_SOCKETS_PER_NETWORK = 64;
const HELLO_TIMEOUT_MS = 10_000;

export interface EndpointDeps extends ActionDeps {
  readonly rooms: Rooms;
  readonly channels: () => Channels;
  /** The `[web]` section. */
  readonly web: () => Readonly<Record<string, string>>;
  /** Address the server is bound to. */
  readonly getBoundAddress: () => string;
  readonly log: Logger;
  readonly monotonic: () => number;
}

/** The endpoint at which pages of visitors open their sockets, shared by all channels. */
export function createWidgetEndpoint(deps: EndpointDeps): SocketEndpoint {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  return {
    path: BASE_PATH,
    includesBelow: true,
    take(request, stream, head) {
      try {
        const { room, address } = checkHandshake(request, deps);
        openSocket({ sockets, room, address, request, stream, head }, deps);
      } catch (error) {
        rejectWithError(stream, AppError.is(error) ? error : widgetTexts.error("internal", "internal"));
        if (!AppError.is(error)) deps.log.error("a visitor's socket could not be opened", { error });
      }
    },
  };
}

interface Upgrade {
  readonly sockets: WebSocketServer;
  readonly room: Room;
  readonly address: string;
  readonly request: IncomingMessage;
  readonly stream: Duplex;
  readonly head: Buffer;
}

function openSocket({ sockets, room, address, request, stream, head }: Upgrade, deps: EndpointDeps): void {
  sockets.handleUpgrade(request, stream, head, (socket) => {
    const clock = { monotonic: deps.monotonic };
    const language = acceptedLanguage(request.headers["accept-language"]);
    const connection = createConnection({
      socket,
      channelId: room.channel.id,
      address,
      language,
      clock,
      log: room.io.log,
    });
    room.connections.add(connection);
    const late = setTimeout(() => {
      // A page forgets its visitor after `unauthorized`, and a slow network is no reason for that.
      if (connection.visitorId === undefined) connection.close(CLOSE_CODES.tooSlow, "no hello came");
    }, HELLO_TIMEOUT_MS);
    socket.on("close", () => {
      clearTimeout(late);
      room.connections.delete(connection);
    });
    // One after another, so that messages are stored in the order in which they were written.
    let last = Promise.resolve();
    socket.on("message", (bytes, isBinary) => {
      if (!connection.countFrame()) return connection.close(CLOSE_CODES.tooMany, "too many frames");
      const frame = isBinary ? undefined : parseFrame(String(bytes));
      if (!frame) return connection.close(CLOSE_CODES.malformed, "malformed frame");
      last = last.then(() => handleFrame(connection, room, frame, deps));
    });
  });
}

/** Runs the checks before the upgrade; throws the code of the first that fails. */
function checkHandshake(
  request: IncomingMessage,
  deps: EndpointDeps,
): { readonly room: Room; readonly address: string } {
  const path = URL.parse(request.url ?? "", "http://x")?.pathname ?? "";
  const [, channelId = ""] = SOCKET_PATH.exec(path) ?? [];
  const web = deps.web();
  const facts = createClientFacts({ web, boundTo: deps.getBoundAddress() })(request);
  if (!facts.isOwnHost) throw widgetTexts.error("permission_denied", "foreign_host");
  const room = requireRoom(channelId, deps);
  const { origin } = request.headers;
  const own = [URL.parse(facts.origin)?.origin, URL.parse(web.public_base_url ?? "")?.origin];
  if (origin === undefined || !isAllowedOrigin(origin, room.settings, own)) {
    throw widgetTexts.error("permission_denied", "foreign_origin");
  }
  checkCounts(facts.address, deps.rooms);
  return { room, address: facts.address };
}

/** Returns the room of a channel that is connected here. Throws `not_found`, `permission_denied` when it is switched off, or `unavailable`. */
export function requireRoom(channelId: string, { rooms, channels }: Pick<EndpointDeps, "rooms" | "channels">): Room {
  const channel = channels().get(channelId);
  if (channel?.type !== "widget") throw notFound("channel", channelId);
  if (!channel.enabled) throw toSharedError("permission_denied", "channel_off", {});
  const room = rooms.get(channelId);
  if (!room) throw toSharedError("unavailable", "channel_not_connected", {}, { retryAfterS: 5 });
  return room;
}

function checkCounts(address: string, rooms: Rooms): void {
  const all: readonly Connection[] = [...rooms.values()].flatMap(({ connections }) => [...connections]);
  const network = networkOf(address);
  const ofNetwork = all.filter((one) => networkOf(one.address) === network);
  if (ofNetwork.length >= MAX_SOCKETS_PER_NETWORK) {
    throw widgetTexts.error("rate_limited", "many_sockets", {}, { retryAfterS: 30 });
  }
  if (all.length >= MAX_SOCKETS) throw widgetTexts.error("unavailable", "many_sockets", {}, { retryAfterS: 30 });
}

function rejectWithError(stream: Duplex, { code, message, retryAfterS }: AppError): void {
  const retry = retryAfterS === undefined ? {} : { "Retry-After": String(retryAfterS) };
  rejectUpgrade(stream, `${HTTP_STATUS[code]} Refused`, {
    headers: { "Content-Type": "application/json", ...retry },
    body: JSON.stringify({ success: false, error: message, code }),
  });
}
