import { useQuery } from "@tanstack/react-query";
import { characters } from "../../shared/api/characters.ts";
import { parley } from "../../shared/api/client.ts";
import { useChannelName } from "../../shared/ui/text/use-channel-name.ts";
import { useSessionName } from "../../shared/ui/text/use-session-name.ts";
import type { Budget } from "./api.ts";
import { useTexts } from "./texts.ts";

type Kind = Budget["applies_to"];

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Returns the targets to choose from by name, for kinds of which there are few. */
export function useTargetChoices(kind: Kind): readonly Choice[] {
  const channelName = useChannelName();
  const { data = [] } = useQuery({
    queryKey: ["budget", "choices", kind],
    queryFn: CHOICES[kind] ?? (async () => []),
  });
  return kind === "channel" ? data.map(({ value }) => ({ value, label: channelName(value) })) : data;
}

const CHOICES: Partial<Record<Kind, () => Promise<readonly Choice[]>>> = {
  character: async () => (await characters.listAll()).map(({ id, name }) => ({ value: id, label: name })),
  channel: async () => (await parley.get("/api/channels")).items.map(({ id, name }) => ({ value: id, label: name })),
  api_key: async () => (await parley.get("/api/api-keys")).items.map(({ id, name }) => ({ value: id, label: name })),
  account: async () => (await parley.get("/api/accounts")).items.map(({ id, name }) => ({ value: id, label: name })),
};

/** Returns the name of a budget's target; its id where it has none, or is deleted. */
export function useTargetName(kind: Kind, targetId: string): string {
  const { t } = useTexts();
  const sessionName = useSessionName();
  const choices = useTargetChoices(kind);
  const { data: session } = useQuery({
    queryKey: ["session", targetId, "name"],
    queryFn: () => parley.get("/api/sessions/{session_id}", { path: { session_id: targetId } }),
    enabled: kind === "conversation" && targetId !== "",
    retry: false,
  });
  if (targetId === "") return t(`each_${kind}`);
  if (session) return sessionName(session);
  return choices.find(({ value }) => value === targetId)?.label ?? targetId;
}
