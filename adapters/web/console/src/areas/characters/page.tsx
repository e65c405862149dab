import { usePathParams } from "../../shared/ui/page/address.ts";
import { CharacterPage } from "./character-page.tsx";
import { Gallery } from "./gallery.tsx";

export function CharactersPage() {
  const { characterId } = usePathParams();
  return characterId === undefined ? <Gallery /> : <CharacterPage key={characterId} id={characterId} />;
}
