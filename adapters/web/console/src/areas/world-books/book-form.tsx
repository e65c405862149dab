import { Button, Group, MultiSelect, Stack } from "@mantine/core";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { DescriptionField } from "../../shared/ui/form/description-field.tsx";
import { NumberField, SelectField, SwitchField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { type Book, books } from "./api.ts";
import { useTexts } from "./texts.ts";
import { useCharacterNames } from "./use-character-names.ts";

/** The settings of a book: name, description, characters, and how its entries are matched. */
export function BookForm({ book }: { readonly book: Book }) {
  const { t } = useTexts();
  const { props, field, isChanged, isBusy } = useRecordForm({
    queryKeys: [["world_book"]],
    record: book,
    toDraft,
    read: () => books.get(book.id),
    change: (before, draft, ifMatch) => books.update(before.id, toBody(before, draft), ifMatch),
    onSaved: (_, { name }) => showToast({ text: t("bookSaved", { name }) }),
  });
  const common = { placeholder: t("default"), min: 0 };
  return (
    <Form {...props}>
      <Stack gap="sm" maw="40rem">
        <TextField label={t("name")} {...field("name")} required />
        <DescriptionField {...field("description")} />
        <CharacterMultiSelect {...field("character_ids")} />
        <SwitchField label={t("enabled")} {...field("enabled")} />
        <SelectField
          label={t("behaviour")}
          description={t("behaviourHint")}
          data={[
            { value: "native", label: t("native") },
            { value: "world_info", label: t("worldinfo") },
          ]}
          {...field("behaviour")}
        />
        <Group grow align="flex-start">
          <NumberField label={t("scanDepth")} max={400} {...common} {...field("card.scan_depth")} />
          <NumberField label={t("tokenBudget")} max={100_000} {...common} {...field("card.token_budget")} />
        </Group>
        <SwitchField label={t("recursive")} {...field("card.recursive_scanning")} />
        <FormErrors />
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isChanged}>
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

interface Draft extends Pick<Book, "name" | "description" | "character_ids" | "enabled" | "behaviour"> {
  readonly "card.scan_depth": number | undefined;
  readonly "card.token_budget": number | undefined;
  readonly "card.recursive_scanning": boolean;
}

function toDraft(book: Book | undefined): Draft {
  const { name = "", description = "", character_ids = [], enabled = true, card = {} } = book ?? {};
  const behaviour = book?.behaviour ?? "native";
  return {
    ...{ name, description, character_ids, enabled, behaviour },
    "card.scan_depth": toNumber(card.scan_depth),
    "card.token_budget": toNumber(card.token_budget),
    "card.recursive_scanning":
      card.recursive_scanning === undefined ? behaviour !== "native" : card.recursive_scanning === true,
  };
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function toBody({ card }: Book, { name, description, character_ids, enabled, behaviour, ...cardFields }: Draft) {
  const { scan_depth: _depth, token_budget: _budget, ...rest } = card;
  const setFields = Object.entries(cardFields).flatMap(([key, value]) =>
    value === undefined ? [] : [[key.replace("card.", ""), value] as const],
  );
  return { name, description, character_ids, enabled, behaviour, card: { ...rest, ...Object.fromEntries(setFields) } };
}

interface CharactersFieldProps {
  readonly value: readonly string[];
  readonly onChange: (characters: readonly string[]) => void;
}

/** Selects characters by name; unknown ids from an imported file stay selected. */
function CharacterMultiSelect({ value, onChange }: CharactersFieldProps) {
  const { t } = useTexts();
  const characterNames = useCharacterNames();
  const others = value.filter((one) => !characterNames.has(one));
  return (
    <FormControl name="character_ids">
      <MultiSelect
        label={t("bound")}
        description={t("boundHint")}
        searchable
        clearable
        value={[...value]}
        onChange={onChange}
        data={[...[...characterNames].map(([id, name]) => ({ value: id, label: name })), ...others]}
        nothingFoundMessage={t("nothingNamed")}
      />
    </FormControl>
  );
}
