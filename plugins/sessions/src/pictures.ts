import { contains, type PictureFields } from "@parley/core";
import type { SessionParts } from "./parts.ts";
import type { SessionTables } from "./tables.ts";

const FIELDS = ["sender_avatar", "sender_portrait"] as const;
const PAGE = 500;

type Faces = Partial<Record<(typeof FIELDS)[number], string>>;

/** The pictures that sessions have of their own. */
export function sessionPictures({ database, sessions }: SessionParts): PictureFields {
  async function* having(text: string): AsyncGenerator<readonly [id: string, faces: Faces]> {
    for (let after = ""; ; ) {
      const rows = await database()
        .tables<SessionTables>()
        .selectFrom("sessions")
        .select(["id", "fields"])
        .where("id", ">", after)
        .where(contains("fields", text))
        .orderBy("id")
        .limit(PAGE)
        .execute();
      for (const { id, fields } of rows) yield [id, JSON.parse(fields) as Faces];
      const last = rows.at(-1);
      if (!last) return;
      after = last.id;
    }
  }
  return {
    id: "sessions.faces",
    async used() {
      const found = new Set<string>();
      for await (const [, faces] of having("/static/files/")) for (const name of FIELDS) found.add(faces[name] ?? "");
      return found;
    },
    async clear(url) {
      let cleared = 0;
      for await (const [id, faces] of having(url)) {
        const own = FIELDS.filter((name) => faces[name] === url);
        if (own.length === 0) continue;
        await sessions.change(id, () => Object.fromEntries(own.map((name) => [name, ""])));
        cleared += own.length;
      }
      return cleared;
    },
  };
}
