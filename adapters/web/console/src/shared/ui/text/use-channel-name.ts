import { useQuery } from "@tanstack/react-query";
import { channels } from "../../api/channels.ts";
import { useTexts } from "../../i18n/i18n.ts";

/** The service's default name of the console channel. */
const BUILT_IN_NAME = "Web console";

/** Returns a function for the localized name of a channel; the id where it is deleted or not loaded. */
export function useChannelName(): (id: string) => string {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: ["channel"], queryFn: channels.list });
  const names = new Map((data?.items ?? []).map(({ id, name }) => [id, name]));
  return (id) => {
    const name = names.get(id) ?? (id === "web" ? BUILT_IN_NAME : id);
    return id === "web" && name === BUILT_IN_NAME ? t("webConsole") : name;
  };
}

/** Returns the channels as options; none until they are loaded. */
export function useChannelChoices(): readonly { readonly value: string; readonly label: string }[] {
  const name = useChannelName();
  const { data } = useQuery({ queryKey: ["channel"], queryFn: channels.list });
  return (data?.items ?? []).map(({ id }) => ({ value: id, label: name(id) }));
}
