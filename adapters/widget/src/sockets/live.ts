import type { LiveEvent } from "@parley/core";
import { type ActionDeps, welcome } from "./actions.ts";
import type { Connection } from "./connection.ts";
import type { Room, Rooms } from "./room.ts";

const PING_INTERVAL_MS = 25_000;

/** Pings all pages and ends the connections of those that did not answer the ping before. Returns the function that stops it. */
export function startPings(rooms: Rooms): () => void {
  const timer = setInterval(() => {
    for (const { connections } of rooms.values()) for (const one of connections) pingOrEnd(one);
  }, PING_INTERVAL_MS);
  return () => clearInterval(timer);
}

function pingOrEnd(connection: Connection): void {
  if (connection.isAlive) {
    connection.isAlive = false;
    connection.ping();
  } else connection.terminate();
}

/** Shows visitors what changes in their conversation otherwise: a person takes over or leaves, or messages are removed. */
export function showEvent(event: LiveEvent, rooms: Rooms, deps: ActionDeps): void {
  if (event.session_id === undefined) return;
  if (event.type !== "session_updated" && event.type !== "messages_removed") return;
  const channelId = event.session_id.split(":", 1)[0] ?? "";
  const room = rooms.get(channelId);
  const visitorId = event.session_id.slice(channelId.length + 1);
  if (!room || room.list(visitorId).length === 0) return;
  const { action, session } = event.payload;
  if (event.type === "session_updated" && action !== "deleted") showPresence(room, visitorId, session);
  else refresh(room, visitorId, deps);
}

function showPresence(room: Room, visitorId: string, session: unknown): void {
  if (typeof session !== "object" || session === null || !("taken_over" in session)) return;
  room.broadcast(visitorId, { type: "presence", operator: session.taken_over !== null });
}

/** Sends all pages of a visitor their conversation anew. */
function refresh(room: Room, visitorId: string, deps: ActionDeps): void {
  for (const connection of room.list(visitorId)) {
    welcome(connection, room, deps).catch((error: unknown) =>
      room.io.log.error("a visitor's history could not be read", { error }),
    );
  }
}
