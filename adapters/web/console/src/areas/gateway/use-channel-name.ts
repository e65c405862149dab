import { useQuery } from "@tanstack/react-query";
import { channels } from "../../shared/api/channels.ts";
import { useTexts } from "./texts.ts";

/** What a channel is called; its id where it is gone, or not known yet. */
export function useChannelName(): (id: string) => string {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: ["channel"], queryFn: channels.list });
  const names = new Map((data?.items ?? []).map(({ id, name }) => [id, name]));
  return (id) => (id === "web" ? t("console") : (names.get(id) ?? id));
}
