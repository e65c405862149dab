import { useQuery } from "@tanstack/react-query";
import { characters } from "../../shared/api/characters.ts";

/** Returns the names of all characters by id. */
export function useCharacterNames(): ReadonlyMap<string, string> {
  const { data = [] } = useQuery({ queryKey: ["character", "all"], queryFn: characters.listAll });
  return new Map(data.map(({ id, name }) => [id, name]));
}
