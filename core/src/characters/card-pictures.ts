import type { PictureFields } from "../points/picture-fields.ts";
import type { CharacterFields } from "./character-fields.ts";

type Pictured = Pick<CharacterFields, "avatar" | "portrait">;

const PICTURES = ["avatar", "portrait"] as const;

/** The pictures of a plugin's cards, as `PictureFields` wants them; `empty` stores a card without some of them. */
export function cardPictures<Card extends Pictured>(
  id: string,
  all: () => AsyncIterable<Card>,
  empty: (card: Card, pictures: Partial<Pictured>) => Promise<unknown>,
): PictureFields {
  return {
    id,
    async used() {
      const found = new Set<string>();
      for await (const { avatar, portrait } of all()) found.add(avatar).add(portrait);
      return found;
    },
    async clear(url) {
      let cleared = 0;
      for await (const card of all()) {
        const own = PICTURES.filter((name) => card[name] === url);
        if (own.length === 0) continue;
        await empty(card, Object.fromEntries(own.map((name) => [name, ""])));
        cleared += own.length;
      }
      return cleared;
    },
  };
}
