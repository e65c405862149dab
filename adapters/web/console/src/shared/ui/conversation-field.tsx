import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, parley } from "../api/client.ts";
import { useTexts } from "../i18n/i18n.ts";
import { At } from "./form.tsx";
import { useShownName } from "./shown-name.ts";

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

const MOST_SHOWN = 20;
/** What may be the id of a conversation that is not there yet: `imA:group:7`. */
const ID = /^(sess_\w+|[\w-]+:\S+)$/;

/** A conversation, found by its name; one that is not there yet by its id. */
export function ConversationField({ name, value, put, label, hint, channelId, disabled }: ConversationFieldProps) {
  const { t } = useTexts();
  const shown = useShownName();
  const [typed, setTyped] = useState("");
  const chosen = useNameOf(value);
  // Its name stands there by itself: all of them can be chosen instead.
  const written = value !== "" && typed === (chosen || value) ? "" : typed.trim();
  const [q] = useDebouncedValue(written, 200);
  const { data } = useQuery({
    queryKey: ["session", "choices", q, channelId],
    queryFn: () =>
      parley.get("/api/sessions", {
        query: { q, limit: MOST_SHOWN, ...(channelId !== undefined && { channel_id: channelId }) },
      }),
    placeholderData: keepPreviousData,
  });
  const found = new Map((data?.items ?? []).map((session) => [session.id, shown(session)]));
  if (ID.test(written) && !found.has(written)) found.set(written, written);
  if (value !== "" && !found.has(value)) found.set(value, chosen);
  return (
    <At name={name}>
      <Select
        label={label ?? t("conversation")}
        description={hint}
        placeholder={t("findConversation")}
        searchable
        clearable
        disabled={disabled ?? false}
        value={value === "" ? null : value}
        onChange={(id) => put(id ?? "")}
        onSearchChange={setTyped}
        data={[...found].map(([id, title]) => ({ value: id, label: title || id }))}
        // The service has chosen already.
        filter={({ options }) => options}
        nothingFoundMessage={t("nothingNamed")}
        renderOption={({ option }) => (
          <div className="tool-option">
            <Text size="sm" dir="auto">
              {option.label}
            </Text>
            <Text size="xs" c="dimmed" ff="monospace">
              {option.value}
            </Text>
          </div>
        )}
        comboboxProps={{ withinPortal: true }}
      />
    </At>
  );
}

/** What a conversation is called; one that is not there, by its id. */
function useNameOf(id: string): string {
  const { data } = useQuery({
    queryKey: ["session", "name", id],
    queryFn: async () => {
      try {
        return (await parley.get("/api/sessions/{session_id}", { path: { session_id: id } })).name;
      } catch (error) {
        if (error instanceof ApiError && error.code === "not_found") return id;
        throw error;
      }
    },
    enabled: id !== "",
  });
  const shown = useShownName();
  return data === undefined ? id : shown({ name: data });
}
