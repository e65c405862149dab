import { useQuery } from "@tanstack/react-query";
import { ALL, parley } from "../../shared/api/client.ts";

const NONE: ReadonlyMap<string, string> = new Map();

/** The names of the characters there are, by their ids. */
export function useKnownCharacters(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ["character", "known"],
    queryFn: async () => {
      const { items } = await parley.get("/api/characters", { query: ALL });
      return new Map(items.map(({ id, name }) => [id, name]));
    },
  });
  return data ?? NONE;
}
