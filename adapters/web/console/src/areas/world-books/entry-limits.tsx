import { Group, NumberInput, Stack, TagsInput, Textarea } from "@mantine/core";
import { At } from "../../shared/ui/form.tsx";
import { type Draft, isJson } from "./entry-draft.ts";
import { useTexts } from "./texts.ts";

interface LimitFieldsProps {
  readonly draft: Draft;
  readonly put: <Key extends keyof Draft>(key: Key, value: Draft[Key]) => void;
  /** The fields of its card as they are written. */
  readonly card: string;
  readonly setCard: (text: string) => void;
}

/** How often an entry is told and before which others, and what is kept beside it. */
export function LimitFields({ draft, put, card, setCard }: LimitFieldsProps) {
  const { t } = useTexts();
  const number = (
    key: "priority" | "weight" | "insertion_order" | "cooldown_turns" | "max_injections_per_session",
  ) => ({
    value: draft[key],
    onChange: (value: string | number) => put(key, value === "" ? 0 : Number(value)),
    allowDecimal: false,
  });
  return (
    <Stack gap="sm">
      <Group grow align="flex-end">
        <At name="priority">
          <NumberInput label={t("priority")} min={-1000} max={1000} {...number("priority")} />
        </At>
        <At name="weight">
          <NumberInput label={t("weight")} min={-1000} max={1000} {...number("weight")} />
        </At>
        <At name="insertion_order">
          <NumberInput label={t("insertionOrder")} min={0} max={100_000} {...number("insertion_order")} />
        </At>
      </Group>
      <Group grow align="flex-end">
        <At name="cooldown_turns">
          <NumberInput label={t("cooldown")} min={0} max={1000} {...number("cooldown_turns")} />
        </At>
        <At name="max_injections_per_session">
          <NumberInput
            label={t("most")}
            description={t("noLimit")}
            min={0}
            max={10_000}
            {...number("max_injections_per_session")}
          />
        </At>
      </Group>
      <At name="tags">
        <TagsInput label={t("tags")} value={[...draft.tags]} onChange={(tags) => put("tags", tags)} />
      </At>
      <At name="card">
        <Textarea
          label={t("cardFields")}
          value={card}
          error={isJson(card) ? undefined : t("notJson")}
          onChange={({ currentTarget }) => {
            setCard(currentTarget.value);
            put("card", draft.card);
          }}
          autosize
          minRows={2}
          maxRows={12}
          styles={{ input: { fontFamily: "monospace" } }}
        />
      </At>
    </Stack>
  );
}
