import { Button, Group, MultiSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../../shared/ui/common.tsx";
import { toast } from "../../shared/ui/feedback/toasts.tsx";
import { createComparison } from "../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../shared/ui/form/edit-conflict.tsx";
import { NumberField, SwitchField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../shared/ui/form/form.tsx";
import { DescriptionField } from "../../shared/ui/form/text-fields.tsx";
import { type Book, books } from "./api.ts";
import { useTexts } from "./texts.ts";
import { useCharacterNames } from "./use-character-names.ts";

/** The settings of a book: description, characters, and how entries are matched. */
export function BookForm({ book, release }: { readonly book: Book; readonly release: () => void }) {
  const { t } = useTexts();
  const [draft, setDraft] = useState(book);
  const { toHandler, isBusy, error } = useAction([["world_book"]]);
  const isChanged = draft !== book;
  const update = (patch: Partial<Book>) => setDraft((before) => ({ ...before, ...patch }));
  const putCard = (key: string, value: unknown) => {
    const { [key]: _old, ...rest } = draft.card;
    update({ card: value === undefined ? rest : { ...rest, [key]: value } });
  };
  const number = (key: "scan_depth" | "token_budget") => ({
    name: `card.${key}`,
    placeholder: t("asUsual"),
    min: 0,
    value: typeof draft.card[key] === "number" ? draft.card[key] : undefined,
    onChange: (value: number | undefined) => putCard(key, value),
  });
  const save = (ifMatch: number | undefined) =>
    toHandler(async () => {
      const { name, description, character_ids, enabled, card } = draft;
      await books.update(book.id, { name, description, character_ids, enabled, card }, ifMatch);
      release();
      toast({ text: t("bookSaved", { name }) });
    });
  const meanwhile = {
    id: book.id,
    comparison: createComparison<BookFormValues>(
      toFormValues(draft),
      async () => toFormValues(await books.get(book.id)),
      (theirs) => update(fromFormValues(draft, theirs)),
    ),
    onTakeTheirs: toHandler(async () => release()),
    onKeepMine: save(getConflictRevision(error)),
  };
  return (
    <Form isChanged={isChanged} error={error} onSubmit={save(book.revision)} conflict={meanwhile}>
      <Stack gap="sm" maw="40rem">
        <TextField name="name" label={t("name")} value={draft.name} onChange={(name) => update({ name })} required />
        <DescriptionField value={draft.description} onChange={(description) => update({ description })} />
        <CharacterMultiSelect value={draft.character_ids} onChange={(character_ids) => update({ character_ids })} />
        <SwitchField
          name="enabled"
          label={t("enabled")}
          value={draft.enabled}
          onChange={(enabled) => update({ enabled })}
        />
        <Group grow align="flex-start">
          <NumberField label={t("scanDepth")} max={400} {...number("scan_depth")} />
          <NumberField label={t("tokenBudget")} max={100_000} {...number("token_budget")} />
        </Group>
        <SwitchField
          name="card.recursive_scanning"
          label={t("recursive")}
          value={draft.card.recursive_scanning === true}
          onChange={(isOn) => putCard("recursive_scanning", isOn)}
        />
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

/** Form values by the field names of a book. */
type BookFormValues = Readonly<Record<string, unknown>>;

const CARD_PREFIX = "card.";

function toFormValues({ name, description, character_ids, enabled, card }: Book): BookFormValues {
  const { scan_depth, token_budget, recursive_scanning = false } = card;
  const inCard = Object.entries({ scan_depth, token_budget, recursive_scanning });
  return {
    name,
    description,
    character_ids,
    enabled,
    ...Object.fromEntries(inCard.map(([key, value]) => [`${CARD_PREFIX}${key}`, value])),
  };
}

function fromFormValues({ card }: Book, theirs: Partial<BookFormValues>): Partial<Book> {
  const [own, inCard] = [false, true].map((isInCard) =>
    Object.entries(theirs).filter(([name]) => name.startsWith(CARD_PREFIX) === isInCard),
  );
  const changed = Object.fromEntries((inCard ?? []).map(([name, value]) => [name.slice(CARD_PREFIX.length), value]));
  return { ...Object.fromEntries(own ?? []), card: { ...card, ...changed } };
}

interface CharactersFieldProps {
  readonly value: readonly string[];
  readonly onChange: (characters: readonly string[]) => void;
}

/** Selects characters by name; unknown names from a file stay. */
function CharacterMultiSelect({ value, onChange }: CharactersFieldProps) {
  const { t } = useTexts();
  const characterNames = useCharacterNames();
  const others = value.filter((one) => !characterNames.has(one));
  return (
    <FormControl name="character_ids">
      <MultiSelect
        label={t("onlyWith")}
        description={t("onlyWithHint")}
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
