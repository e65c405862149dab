import { parley, type Shapes } from "../../../shared/api/client.ts";

export type Publication = Shapes["Publication"];
export type SharePreview = Shapes["SharePreview"];

const PUBLICATION_PATH = "/api/sessions/{session_id}/public";

/** Options of a shared conversation, as in the dialog. */
export interface ShareOptions {
  readonly expires_days: number;
  readonly include_character: boolean;
  readonly include_user_messages: boolean;
  readonly include_names: boolean;
  readonly include_files: boolean;
  /** Position of the last shared message, from 1; null shares the whole conversation. */
  readonly message_end: number | null;
}

export const DEFAULT_SHARE_OPTIONS: ShareOptions = {
  expires_days: 30,
  include_character: true,
  include_user_messages: true,
  include_names: true,
  include_files: true,
  message_end: null,
};

/** `password`: undefined preserves the stored one, null removes it. */
export type SharePassword = string | null | undefined;

export const publications = {
  /** Returns the publication; undefined when the conversation is not public. */
  async find(session_id: string): Promise<Publication | undefined> {
    const publication = await parley.get(`${PUBLICATION_PATH}/status`, { path: { session_id } });
    return publication.is_public ? publication : undefined;
  },
  preview: (session_id: string, options: ShareOptions) =>
    parley.post(`${PUBLICATION_PATH}/preview`, { path: { session_id }, body: { ...options } }),
  publish: (session_id: string, options: ShareOptions, password: SharePassword) =>
    parley.post(PUBLICATION_PATH, {
      path: { session_id },
      body: { ...options, ...(password !== undefined && { password }) },
    }),
  unpublish: (session_id: string) => parley.delete(PUBLICATION_PATH, { path: { session_id } }),
  /** Returns the position of a message in the conversation, from 1. */
  async findPosition(session_id: string, message_id: string): Promise<number> {
    const after = { after: message_id, limit: 500, order: "asc" } as const;
    const { items, total } = await parley.get("/api/sessions/{session_id}/messages", {
      path: { session_id },
      query: after,
    });
    let laterCount = items.length;
    for (let last = items.at(-1); last && laterCount % 500 === 0; ) {
      const more = await parley.get("/api/sessions/{session_id}/messages", {
        path: { session_id },
        query: { ...after, after: last.id },
      });
      laterCount += more.items.length;
      last = more.items.length === 500 ? more.items.at(-1) : undefined;
    }
    return total - laterCount;
  },
};
