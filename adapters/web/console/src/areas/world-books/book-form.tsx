import { Button, Group, NumberInput, Stack, Switch, TagsInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { DescriptionField } from "../../shared/ui/text-fields.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { type Book, books } from "./api.ts";
import { useTexts } from "./texts.ts";

/** What a book is, for whom it counts, and how its entries are found. */
export function BookForm({ book }: { readonly book: Book }) {
  const { t } = useTexts();
  const [draft, setDraft] = useState(book);
  const { tried, isBusy, error } = useTried([["world_book"]]);
  const isChanged = draft !== book;
  const put = (patch: Partial<Book>) => setDraft((before) => ({ ...before, ...patch }));
  const putCard = (key: string, value: unknown) => {
    const { [key]: _old, ...rest } = draft.card;
    put({ card: value === undefined ? rest : { ...rest, [key]: value } });
  };
  const numberOf = (key: string) => (typeof draft.card[key] === "number" ? draft.card[key] : "");
  const save = tried(async () => {
    const { name, description, character_ids, enabled, card } = draft;
    await books.update(book.id, { name, description, character_ids, enabled, card });
    toast({ text: t("saved") });
  });
  return (
    <Form isChanged={isChanged && !isBusy} error={error} submit={save}>
      <Stack gap="sm" maw="40rem">
        <At name="name">
          <TextInput
            label={t("name")}
            value={draft.name}
            onChange={({ currentTarget }) => put({ name: currentTarget.value })}
            required
          />
        </At>
        <DescriptionField value={draft.description} put={(description) => put({ description })} />
        <At name="character_ids">
          <TagsInput
            label={t("onlyWith")}
            description={t("onlyWithHint")}
            value={[...draft.character_ids]}
            onChange={(character_ids) => put({ character_ids })}
          />
        </At>
        <At name="enabled">
          <Switch
            label={t("enabled")}
            checked={draft.enabled}
            onChange={({ currentTarget }) => put({ enabled: currentTarget.checked })}
          />
        </At>
        <Group grow align="flex-start">
          <At name="card.scan_depth">
            <NumberInput
              label={t("scanDepth")}
              placeholder={t("asUsual")}
              min={0}
              max={400}
              allowDecimal={false}
              value={numberOf("scan_depth")}
              onChange={(value) => putCard("scan_depth", value === "" ? undefined : Number(value))}
            />
          </At>
          <At name="card.token_budget">
            <NumberInput
              label={t("tokenBudget")}
              placeholder={t("asUsual")}
              min={0}
              max={100_000}
              allowDecimal={false}
              value={numberOf("token_budget")}
              onChange={(value) => putCard("token_budget", value === "" ? undefined : Number(value))}
            />
          </At>
        </Group>
        <Switch
          label={t("recursive")}
          checked={draft.card.recursive_scanning === true}
          onChange={({ currentTarget }) => putCard("recursive_scanning", currentTarget.checked)}
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
