import { MultiSelect, type MultiSelectProps, Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, parley, type Shapes } from "../api/client.ts";
import { useTexts } from "../i18n/i18n.ts";
import { At } from "./form.tsx";
import { useShownName } from "./shown-name.ts";
import { useChannelName } from "./use-channel-name.ts";

interface ConversationFieldProps {
  /** As it is called in what is sent. */
  readonly name: string;
  /** The id of the conversation; "": none. */
  readonly value: string;
  readonly put: (id: string) => void;
  /** Default: the word for a conversation. */
  readonly label?: string;
  readonly hint?: string;
  /** Only those of this channel. */
  readonly channelId?: string | undefined;
  readonly disabled?: boolean;
}

type Session = Pick<Shapes["Session"], "id" | "name" | "channel_id">;

const MOST_SHOWN = 20;
/** What may be the id of a conversation that is not there yet: `imA:group:7`. */
const ID = /^(sess_\w+|[\w-]+:\S+)$/;

/** A conversation, found by its name; one that is not there yet by its id. */
export function ConversationField({ name, value, put, label, hint, channelId, disabled }: ConversationFieldProps) {
  const { t } = useTexts();
  const shown = useShownName();
  const [typed, setTyped] = useState("");
  const [session] = useSessions(value === "" ? [] : [value]);
  const chosen = session ? shown(session) : value;
  // Its name stands there by itself: all of them can be chosen instead.
  const written = value !== "" && typed === (chosen || value) ? "" : typed.trim();
  const found = new Map(useFound(written, channelId).map((one) => [one.id, shown(one)]));
  if (ID.test(written) && !found.has(written)) found.set(written, written);
  if (value !== "" && !found.has(value)) found.set(value, chosen);
  return (
    <At name={name}>
      <Select
        {...FOUND}
        label={label ?? t("conversation")}
        description={hint}
        placeholder={t("findConversation")}
        clearable
        disabled={disabled ?? false}
        value={value === "" ? null : value}
        onChange={(id) => put(id ?? "")}
        onSearchChange={setTyped}
        data={choicesOf(found)}
        nothingFoundMessage={t("nothingNamed")}
      />
    </At>
  );
}

interface ConversationsFieldProps extends Pick<ConversationFieldProps, "name" | "hint"> {
  readonly value: readonly string[];
  readonly put: (ids: readonly string[]) => void;
  readonly label: string;
  readonly most: number;
  /** What can be chosen beside conversations, by what is sent for it. */
  readonly also: Readonly<Record<string, string>>;
}

/** Several conversations, each shown by its name and its channel; found as one alone is. */
export function ConversationsField({ name, value, put, label, hint, most, also }: ConversationsFieldProps) {
  const { t } = useTexts();
  const title = useTitle();
  const [typed, setTyped] = useState("");
  const written = typed.trim();
  const sessions = useSessions(value);
  const known = new Map<string, string>(value.map((id, at) => [id, title(sessions[at]) || id]));
  for (const one of useFound(written)) if (!known.has(one.id)) known.set(one.id, title(one));
  if (ID.test(written) && !known.has(written)) known.set(written, written);
  for (const [id, word] of Object.entries(also)) known.set(id, word);
  return (
    <At name={name}>
      <MultiSelect
        {...FOUND}
        label={label}
        description={hint}
        placeholder={t("findConversation")}
        hidePickedOptions
        maxValues={most}
        value={[...value]}
        onChange={put}
        onSearchChange={setTyped}
        data={choicesOf(known)}
        nothingFoundMessage={t("nothingNamed")}
      />
    </At>
  );
}

/** How what was found is offered. */
const FOUND = {
  searchable: true,
  // The service has chosen already.
  filter: ({ options }) => options,
  renderOption: ({ option }) => (
    <div>
      <Text size="sm" dir="auto">
        {option.label}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace">
        {option.value}
      </Text>
    </div>
  ),
  comboboxProps: { withinPortal: true },
} satisfies Pick<MultiSelectProps, "searchable" | "filter" | "renderOption" | "comboboxProps">;

function choicesOf(titles: ReadonlyMap<string, string>) {
  return [...titles].map(([id, title]) => ({ value: id, label: title || id }));
}

/** The conversations that answer to what was written. */
function useFound(written: string, channelId?: string): readonly Session[] {
  const [q] = useDebouncedValue(written, 200);
  const { data } = useQuery({
    queryKey: ["session", "choices", q, channelId],
    queryFn: () =>
      parley.get("/api/sessions", {
        query: { q, limit: MOST_SHOWN, ...(channelId !== undefined && { channel_id: channelId }) },
      }),
    placeholderData: keepPreviousData,
  });
  return data?.items ?? [];
}

/** The conversations of these ids, in their order; undefined: not there, or not read yet. */
function useSessions(ids: readonly string[]): readonly (Session | undefined)[] {
  return useQueries({
    queries: ids.map((id) => ({ queryKey: ["session", "named", id], queryFn: () => named(id) })),
  }).map(({ data }) => data ?? undefined);
}

async function named(session_id: string): Promise<Session | null> {
  try {
    return await parley.get("/api/sessions/{session_id}", { path: { session_id } });
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

/** The name of a conversation, and of the channel where it takes place. */
function useTitle(): (session: Session | undefined) => string {
  const shown = useShownName();
  const channelName = useChannelName();
  return (session) => (session ? `${shown(session)} · ${channelName(session.channel_id)}` : "");
}
