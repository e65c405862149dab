import { useQuery } from "@tanstack/react-query";
import { parley } from "../api/client.ts";

/** Returns the languages of the console: built-in ones at once, those of the operator when they are loaded. */
export function useLanguages(): readonly { readonly code: string; readonly name: string }[] {
  const { data } = useQuery({
    queryKey: ["languages"],
    queryFn: () => parley.get("/api/languages"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const added = (data?.items ?? []).filter(({ code }) => code !== "en" && code !== "zh");
  return [{ code: "en", name: "English" }, { code: "zh-CN", name: "中文" }, ...added];
}
