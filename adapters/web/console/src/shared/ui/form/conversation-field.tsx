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
  /** The id of the conversation; "" for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** Default: “Conversation”. */
  readonly label?: string;
  readonly hint?: string;
  /** Limits the options to this channel. */
  readonly channelId?: string | undefined;
  readonly disabled?: boolean;
}

type Session = Pick<Shapes["Session"], "id" | "name" | "channel_id">;

const MAX_OPTIONS = 20;
/** Pattern of conversation ids: `sess_…`, or `imA:group:7` for one that may not exist yet. */
const SESSION_ID = /^(sess_\w+|[\w-]+:\S+)$/;

/** Selects a conversation by name; one that does not exist yet by its id. */
export function ConversationField({ name, value, onChange, label, hint, channelId, disabled }: ConversationFieldProps) {
  const { t } = useTexts();
  const sessionName = useSessionName();
  const [typed, setTyped] = useState("");
  const [session] = useSessions(value === "" ? [] : [value]);
  const selectedName = session ? sessionName(session) : value;
  // While the field shows the selected name, any conversation can be chosen instead.
  const search = value !== "" && typed === (selectedName || value) ? "" : typed.trim();
  const nameById = new Map(useSessionSearch(search, channelId).map((one) => [one.id, sessionName(one)]));
  if (SESSION_ID.test(search) && !nameById.has(search)) nameById.set(search, search);
  if (value !== "" && !nameById.has(value)) nameById.set(value, selectedName);
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
        data={toOptions(nameById)}
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
  readonly extras: Readonly<Record<string, string>>;
}

/** Selects several conversations by name; each is shown with its channel. */
export function ConversationsField({ name, value, onChange, label, hint, maxCount, extras }: ConversationsFieldProps) {
  const { t } = useTexts();
  const formatTitle = useFormatSessionTitle();
  const [typed, setTyped] = useState("");
  const search = typed.trim();
  const sessions = useSessions(value);
  const titleById = new Map<string, string>(value.map((id, at) => [id, formatTitle(sessions[at]) || id]));
  for (const one of useSessionSearch(search)) if (!titleById.has(one.id)) titleById.set(one.id, formatTitle(one));
  if (SESSION_ID.test(search) && !titleById.has(search)) titleById.set(search, search);
  for (const [id, word] of Object.entries(extras)) titleById.set(id, word);
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

const SEARCH_PROPS = {
  searchable: true,
  // The service has already filtered the options.
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
function useSessionSearch(search: string, channelId?: string): readonly Session[] {
  const [q] = useDebouncedValue(search, 200);
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

/** Returns the conversations of these ids in order; undefined for missing and unloaded ones. */
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

/** Returns a function that formats the name of a conversation with its channel. */
function useFormatSessionTitle(): (session: Session | undefined) => string {
  const sessionName = useSessionName();
  const channelName = useChannelName();
  return (session) => (session ? `${sessionName(session)} · ${channelName(session.channel_id)}` : "");
}
