import { contains, type PictureFields } from "@parley/core";
import type { SessionDeps } from "../session-deps.ts";
import type { SessionTables } from "../store/tables.ts";

const PICTURE_FIELDS = ["sender_avatar", "sender_portrait"] as const;
const PAGE_SIZE = 500;

type SessionPictureUrls = Partial<Record<(typeof PICTURE_FIELDS)[number], string>>;

/** Declares the pictures that belong to sessions. */
export function createSessionPictures({ database, sessions }: SessionDeps): PictureFields {
  async function* findContaining(text: string): AsyncGenerator<readonly [id: string, faces: SessionPictureUrls]> {
    for (let after = ""; ; ) {
      const rows = await database()
        .tables<SessionTables>()
        .selectFrom("sessions")
        .select(["id", "fields"])
        .where("id", ">", after)
        .where(contains("fields", text))
        .orderBy("id")
        .limit(PAGE_SIZE)
        .execute();
      for (const { id, fields } of rows) yield [id, JSON.parse(fields) as SessionPictureUrls];
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }
  return {
    id: "sessions.faces",
    async used() {
      const found = new Set<string>();
      for await (const [, faces] of findContaining("/static/files/"))
        for (const name of PICTURE_FIELDS) found.add(faces[name] ?? "");
      return found;
    },
    async clear(url) {
      let cleared = 0;
      for await (const [id, faces] of findContaining(url)) {
        const own = PICTURE_FIELDS.filter((name) => faces[name] === url);
        if (own.length === 0) continue;
        await sessions.change(id, () => Object.fromEntries(own.map((name) => [name, ""])));
        cleared += own.length;
      }
      return cleared;
    },
  };
}
