import { useQuery } from "@tanstack/react-query";
import { MAX_LIMIT_QUERY, parley } from "../../shared/api/client.ts";

const NO_CHARACTERS: ReadonlyMap<string, string> = new Map();

/** Returns the names of all characters by id. */
export function useCharacterNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ["character", "known"],
    queryFn: async () => {
      const { items } = await parley.get("/api/characters", { query: MAX_LIMIT_QUERY });
      return new Map(items.map(({ id, name }) => [id, name]));
    },
  });
  return data ?? NO_CHARACTERS;
}
