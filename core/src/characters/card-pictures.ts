import type { PictureFields } from "../points/console/picture-fields.ts";
import type { CharacterFields } from "./character-fields.ts";

type CardPictures = Pick<CharacterFields, "avatar" | "portrait">;

const PICTURE_FIELDS = ["avatar", "portrait"] as const;

/** Creates the `PictureFields` of all cards of a plugin; `empty` stores the given fields of a card, which are empty. */
export function cardPictures<Card extends CardPictures>(
  id: string,
  all: () => AsyncIterable<Card>,
  empty: (card: Card, pictures: Partial<CardPictures>) => Promise<unknown>,
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
        const own = PICTURE_FIELDS.filter((name) => card[name] === url);
        if (own.length === 0) continue;
        await empty(card, Object.fromEntries(own.map((name) => [name, ""])));
        cleared += own.length;
      }
      return cleared;
    },
  };
}
