import type { Message } from "@parley/core";
import { type List, mapItems, type Page } from "@parley/core/http";
import { readPage } from "@parley/core/storage";
import type { RatingBody } from "../schemas/messages.ts";
import { publishMessage, type SessionDeps } from "../session-deps.ts";
import type { FavoriteTable, SessionTables } from "../store/tables.ts";
import { sessionsTexts } from "../texts.ts";

/** A collection of favorite messages. It contains copies, which survive the originals. */
export interface Favorite {
  readonly id: string;
  readonly title: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly message_ids: readonly string[];
  readonly messages: readonly Message[];
}

/** A favorite with its conversation. */
export interface FavoriteWithSession extends Favorite {
  readonly session_id: string;
  readonly session_name: string;
}

/** Stores feedback on messages: favorites and ratings. */
export interface MessageFeedback {
  /** Lists favorites of all conversations, newest first. */
  favorites(page: Page): Promise<List<FavoriteWithSession>>;
  /** Rates a reply; null removes the rating. */
  rate(idOrKey: string, messageId: string, body: RatingBody): Promise<Message>;
}

export function fromFavoriteRow({ id, title, created_at, updated_at, messages }: FavoriteTable): Favorite {
  const copies: readonly Message[] = JSON.parse(messages);
  return { id, title, created_at, updated_at, message_ids: copies.map((one) => one.id), messages: copies };
}

export function createMessageFeedback(deps: SessionDeps): MessageFeedback {
  const { sessions, messages, database } = deps;
  const tables = () => database().tables<SessionTables>();
  return {
    async favorites(query) {
      const rows = tables()
        .selectFrom("message_favorites")
        .innerJoin("sessions", "sessions.id", "message_favorites.session_id");
      const page = await readPage(rows, query, (all) =>
        all
          .selectAll("message_favorites")
          .select("sessions.name as session_name")
          .orderBy("message_favorites.id", "desc"),
      );
      return mapItems(page, ({ session_name, ...row }) => ({
        ...fromFavoriteRow(row),
        session_id: row.session_id,
        session_name,
      }));
    },
    async rate(idOrKey, messageId, { rating }) {
      const session = await sessions.get(idOrKey);
      const message = await messages.find(session.id, messageId);
      if (message.role !== "assistant")
        throw sessionsTexts.error("bad_request", "not_reply", {}, { field: "message_id" });
      const query = tables()
        .updateTable("messages")
        .set(({ eb }) => ({ rating, revision: eb("revision", "+", 1) }))
        .where("id", "=", message.id);
      await database().write([{ query }]);
      const rated = await messages.find(session.id, message.id);
      publishMessage(deps, "message_updated", rated);
      return rated;
    },
  };
}
