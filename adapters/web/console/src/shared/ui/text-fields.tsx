import { Autocomplete, Text, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { parley } from "../api/client.ts";
import { useTexts } from "../i18n/i18n.ts";
import { At } from "./form.tsx";

interface DescriptionFieldProps {
  readonly value: string;
  readonly put: (text: string) => void;
  /** Default: the word for a description. */
  readonly label?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly testId?: string;
}

/** What something is for, in the words of who made it. */
export function DescriptionField({ value, put, label, hint, isRequired = false, testId }: DescriptionFieldProps) {
  const { t } = useTexts();
  return (
    <At name="description">
      <Textarea
        label={label ?? t("description")}
        description={hint}
        required={isRequired}
        autosize
        minRows={2}
        maxRows={12}
        value={value}
        onChange={({ currentTarget }) => put(currentTarget.value)}
        data-testid={testId}
      />
    </At>
  );
}

interface ConversationFieldProps {
  /** As it is called in what is sent. */
  readonly name: string;
  readonly value: string;
  readonly put: (id: string) => void;
  readonly hint?: string;
}

const MOST_SHOWN = 20;

/** A conversation by its id, found by its name; an id of none that is known may be written too. */
export function ConversationField({ name, value, put, hint }: ConversationFieldProps) {
  const { t } = useTexts();
  const [q] = useDebouncedValue(value, 200);
  const { data } = useQuery({
    queryKey: ["session", "choices", q],
    queryFn: () => parley.get("/api/sessions", { query: { q, limit: MOST_SHOWN } }),
    placeholderData: keepPreviousData,
  });
  const names = new Map((data?.items ?? []).map((session) => [session.id, session.name]));
  return (
    <At name={name}>
      <Autocomplete
        label={t("conversation")}
        description={[names.get(value), hint].filter(Boolean).join(" · ")}
        value={value}
        onChange={(id) => put(id.trim())}
        data={[...names.keys()]}
        // The service has chosen already.
        filter={({ options }) => options}
        renderOption={({ option }) => (
          <div className="tool-option">
            <Text size="sm" dir="auto">
              {names.get(option.value)}
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
