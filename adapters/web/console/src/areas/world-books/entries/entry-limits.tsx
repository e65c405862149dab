import { Group, Stack } from "@mantine/core";
import { useJsonError } from "../../../shared/forms/use-json-error.ts";
import { parseJsonObject } from "../../../shared/json-object.ts";
import { NumberField, TagsField, TextareaField } from "../../../shared/ui/form/fields.tsx";
import { useTexts } from "../texts.ts";
import type { Draft } from "./entry-draft.ts";

type LimitField = "priority" | "weight" | "insertion_order" | "cooldown_turns" | "max_injections_per_session";

interface LimitFieldsProps {
  readonly draft: Draft;
  readonly onChange: <Key extends keyof Draft>(key: Key, value: Draft[Key]) => void;
  /** The typed JSON of the card fields, valid or not. */
  readonly card: string;
  readonly setCard: (text: string) => void;
}

/** The limits of an entry (priority, order, how often it is inserted), its tags and its other card fields. */
export function LimitFields({ draft, onChange, card, setCard }: LimitFieldsProps) {
  const { t } = useTexts();
  const toJsonError = useJsonError();
  const numberField = (name: LimitField) => ({
    name,
    value: draft[name],
    onChange: (value: number | undefined) => onChange(name, value ?? 0),
  });
  return (
    <Stack gap="sm">
      <Group grow align="flex-end">
        <NumberField label={t("priority")} min={-1000} max={1000} {...numberField("priority")} />
        <NumberField label={t("weight")} min={-1000} max={1000} {...numberField("weight")} />
        <NumberField label={t("insertionOrder")} min={0} max={100_000} {...numberField("insertion_order")} />
      </Group>
      <Group grow align="flex-end">
        <NumberField label={t("cooldown")} min={0} max={1000} {...numberField("cooldown_turns")} />
        <NumberField
          label={t("maxInsertions")}
          description={t("noLimit")}
          min={0}
          max={10_000}
          {...numberField("max_injections_per_session")}
        />
      </Group>
      <TagsField name="tags" label={t("tags")} value={draft.tags} onChange={(tags) => onChange("tags", tags)} />
      <TextareaField
        name="card"
        label={t("cardFields")}
        value={card}
        error={parseJsonObject(card) ? undefined : (toJsonError(card) ?? t("notJson"))}
        onChange={(text) => {
          setCard(text);
          onChange("card", draft.card);
        }}
        styles={{ input: { fontFamily: "monospace" } }}
      />
    </Stack>
  );
}
