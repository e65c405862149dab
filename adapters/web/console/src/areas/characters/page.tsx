import { useParams } from "@tanstack/react-router";
import { CharacterPage } from "./character-page.tsx";
import { Gallery } from "./gallery.tsx";

export function CharactersPage() {
  const { characterId } = useParams({ strict: false }) as { readonly characterId?: string };
  return characterId === undefined ? <Gallery /> : <CharacterPage key={characterId} id={characterId} />;
}
