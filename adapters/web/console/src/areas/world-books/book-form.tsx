import { Button, Group, MultiSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { NumberField, SwitchField, TextField } from "../../shared/ui/fields.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { DescriptionField } from "../../shared/ui/text-fields.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { type Book, books } from "./api.ts";
import { useKnownCharacters } from "./characters.ts";
import { useTexts } from "./texts.ts";

/** What a book is, for whom it counts, and how its entries are found. */
export function BookForm({ book, release }: { readonly book: Book; readonly release: () => void }) {
  const { t } = useTexts();
  const [draft, setDraft] = useState(book);
  const { tried, isBusy, error } = useTried([["world_book"]]);
  const isChanged = draft !== book;
  const put = (patch: Partial<Book>) => setDraft((before) => ({ ...before, ...patch }));
  const putCard = (key: string, value: unknown) => {
    const { [key]: _old, ...rest } = draft.card;
    put({ card: value === undefined ? rest : { ...rest, [key]: value } });
  };
  const number = (key: "scan_depth" | "token_budget") => ({
    name: `card.${key}`,
    placeholder: t("asUsual"),
    min: 0,
    value: typeof draft.card[key] === "number" ? draft.card[key] : undefined,
    put: (value: number | undefined) => putCard(key, value),
  });
  const save = (ifMatch: number | undefined) =>
    tried(async () => {
      const { name, description, character_ids, enabled, card } = draft;
      await books.update(book.id, { name, description, character_ids, enabled, card }, ifMatch);
      release();
      toast({ text: t("bookSaved", { name }) });
    });
  const meanwhile = {
    id: book.id,
    compared: compared<Flat>(
      flat(draft),
      async () => flat(await books.get(book.id)),
      (theirs) => put(nested(draft, theirs)),
    ),
    theirs: tried(async () => release()),
    mine: save(theirRevision(error)),
  };
  return (
    <Form isChanged={isChanged} error={error} submit={save(book.revision)} meanwhile={meanwhile}>
      <Stack gap="sm" maw="40rem">
        <TextField name="name" label={t("name")} value={draft.name} put={(name) => put({ name })} required />
        <DescriptionField value={draft.description} put={(description) => put({ description })} />
        <CharactersField value={draft.character_ids} put={(character_ids) => put({ character_ids })} />
        <SwitchField name="enabled" label={t("enabled")} value={draft.enabled} put={(enabled) => put({ enabled })} />
        <Group grow align="flex-start">
          <NumberField label={t("scanDepth")} max={400} {...number("scan_depth")} />
          <NumberField label={t("tokenBudget")} max={100_000} {...number("token_budget")} />
        </Group>
        <SwitchField
          name="card.recursive_scanning"
          label={t("recursive")}
          value={draft.card.recursive_scanning === true}
          put={(isOn) => putCard("recursive_scanning", isOn)}
        />
        <FormFailure />
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isChanged}>
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

/** A book as its form names what is in it. */
type Flat = Readonly<Record<string, unknown>>;

const OF_CARD = "card.";

function flat({ name, description, character_ids, enabled, card }: Book): Flat {
  const { scan_depth, token_budget, recursive_scanning = false } = card;
  const inCard = Object.entries({ scan_depth, token_budget, recursive_scanning });
  return {
    name,
    description,
    character_ids,
    enabled,
    ...Object.fromEntries(inCard.map(([key, value]) => [`${OF_CARD}${key}`, value])),
  };
}

function nested({ card }: Book, theirs: Partial<Flat>): Partial<Book> {
  const [own, inCard] = [false, true].map((isInCard) =>
    Object.entries(theirs).filter(([name]) => name.startsWith(OF_CARD) === isInCard),
  );
  const changed = Object.fromEntries((inCard ?? []).map(([name, value]) => [name.slice(OF_CARD.length), value]));
  return { ...Object.fromEntries(own ?? []), card: { ...card, ...changed } };
}

interface CharactersFieldProps {
  readonly value: readonly string[];
  readonly put: (characters: readonly string[]) => void;
}

/** Characters by their names; what a file names that is none here stays. */
function CharactersField({ value, put }: CharactersFieldProps) {
  const { t } = useTexts();
  const known = useKnownCharacters();
  const others = value.filter((one) => !known.has(one));
  return (
    <At name="character_ids">
      <MultiSelect
        label={t("onlyWith")}
        description={t("onlyWithHint")}
        searchable
        clearable
        value={[...value]}
        onChange={put}
        data={[...[...known].map(([id, name]) => ({ value: id, label: name })), ...others]}
        nothingFoundMessage={t("nothingNamed")}
      />
    </At>
  );
}
