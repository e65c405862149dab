import { MultiSelect, type MultiSelectProps, Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, parley, type Shapes } from "../../api/client.ts";
import { useTexts } from "../../i18n/i18n.ts";
import { useChannelName } from "../text/use-channel-name.ts";
import { useSessionName } from "../text/use-session-name.ts";
import { FormControl } from "./form.tsx";

interface ConversationFieldProps {
  /** Name of the field in the request. */
  readonly name: string;
  /** The id of the conversation; "": none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** Default: the word for a conversation. */
  readonly label?: string;
  readonly hint?: string;
  /** Only those of this channel. */
  readonly channelId?: string | undefined;
  readonly disabled?: boolean;
}

type Session = Pick<Shapes["Session"], "id" | "name" | "channel_id">;

const MAX_OPTIONS = 20;
/** Pattern of ids for conversations that may not exist yet: `imA:group:7`. */
const SESSION_ID = /^(sess_\w+|[\w-]+:\S+)$/;

/** Selects a conversation by name; one that does not exist yet by its id. */
export function ConversationField({ name, value, onChange, label, hint, channelId, disabled }: ConversationFieldProps) {
  const { t } = useTexts();
  const sessionName = useSessionName();
  const [typed, setTyped] = useState("");
  const [session] = useSessions(value === "" ? [] : [value]);
  const chosen = session ? sessionName(session) : value;
  // Its name stands there by itself: all of them can be chosen instead.
  const written = value !== "" && typed === (chosen || value) ? "" : typed.trim();
  const idByName = new Map(useSessionSearch(written, channelId).map((one) => [one.id, sessionName(one)]));
  if (SESSION_ID.test(written) && !idByName.has(written)) idByName.set(written, written);
  if (value !== "" && !idByName.has(value)) idByName.set(value, chosen);
  return (
    <FormControl name={name}>
      <Select
        {...SEARCH_PROPS}
        label={label ?? t("conversation")}
        description={hint}
        placeholder={t("findConversation")}
        clearable
        disabled={disabled ?? false}
        value={value === "" ? null : value}
        onChange={(id) => onChange(id ?? "")}
        onSearchChange={setTyped}
        data={toOptions(idByName)}
        nothingFoundMessage={t("nothingNamed")}
      />
    </FormControl>
  );
}

interface ConversationsFieldProps extends Pick<ConversationFieldProps, "name" | "hint"> {
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  readonly label: string;
  readonly maxCount: number;
  /** Labels of choices besides conversations, by value. */
  readonly also: Readonly<Record<string, string>>;
}

/** Several conversations, each shown by its name and its channel; found as one alone is. */
export function ConversationsField({ name, value, onChange, label, hint, maxCount, also }: ConversationsFieldProps) {
  const { t } = useTexts();
  const title = useSessionTitle();
  const [typed, setTyped] = useState("");
  const written = typed.trim();
  const sessions = useSessions(value);
  const titleById = new Map<string, string>(value.map((id, at) => [id, title(sessions[at]) || id]));
  for (const one of useSessionSearch(written)) if (!titleById.has(one.id)) titleById.set(one.id, title(one));
  if (SESSION_ID.test(written) && !titleById.has(written)) titleById.set(written, written);
  for (const [id, word] of Object.entries(also)) titleById.set(id, word);
  return (
    <FormControl name={name}>
      <MultiSelect
        {...SEARCH_PROPS}
        label={label}
        description={hint}
        placeholder={t("findConversation")}
        hidePickedOptions
        maxValues={maxCount}
        value={[...value]}
        onChange={onChange}
        onSearchChange={setTyped}
        data={toOptions(titleById)}
        nothingFoundMessage={t("nothingNamed")}
      />
    </FormControl>
  );
}

/** Search behaviour of the select. */
const SEARCH_PROPS = {
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

function toOptions(titles: ReadonlyMap<string, string>) {
  return [...titles].map(([id, title]) => ({ value: id, label: title || id }));
}

/** Finds the conversations that match the typed text. */
function useSessionSearch(written: string, channelId?: string): readonly Session[] {
  const [q] = useDebouncedValue(written, 200);
  const { data } = useQuery({
    queryKey: ["session", "choices", q, channelId],
    queryFn: () =>
      parley.get("/api/sessions", {
        query: { q, limit: MAX_OPTIONS, ...(channelId !== undefined && { channel_id: channelId }) },
      }),
    placeholderData: keepPreviousData,
  });
  return data?.items ?? [];
}

/** The conversations of these ids, in their order; undefined: not there, or not read yet. */
function useSessions(ids: readonly string[]): readonly (Session | undefined)[] {
  return useQueries({
    queries: ids.map((id) => ({ queryKey: ["session", "named", id], queryFn: () => fetchSession(id) })),
  }).map(({ data }) => data ?? undefined);
}

async function fetchSession(session_id: string): Promise<Session | null> {
  try {
    return await parley.get("/api/sessions/{session_id}", { path: { session_id } });
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

/** Returns the name of a conversation with its channel. */
function useSessionTitle(): (session: Session | undefined) => string {
  const sessionName = useSessionName();
  const channelName = useChannelName();
  return (session) => (session ? `${sessionName(session)} · ${channelName(session.channel_id)}` : "");
}
