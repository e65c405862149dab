import { Button, Fieldset, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useAction } from "../ui/common.tsx";
import { createComparison } from "../ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../ui/form/edit-conflict.tsx";
import { TagsField, TextField } from "../ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../ui/form/form.tsx";
import cardEditorCss from "./card-editor.module.css";
import {
  type CardFields,
  type CardValues,
  DIALOGUE_FIELDS,
  hasStateError,
  PERSONA_FIELDS,
  toCardFields,
  toCardValues,
  toPatch,
} from "./card-fields.ts";
import { PromptBox, usePromptPreview } from "./card-prompt.tsx";
import { Greetings } from "./greetings.tsx";
import { PictureField } from "./picture-field.tsx";
import { StateField } from "./state-field.tsx";
import { useTexts } from "./texts.ts";

type LongTextField = (typeof PERSONA_FIELDS)[number] | (typeof DIALOGUE_FIELDS)[number] | "rules" | "creator_notes";

/** A stored card. */
type StoredCard = CardFields & { readonly revision: number };

interface CardEditorProps<Card extends StoredCard> {
  /** Absent: it is a new one. */
  readonly card?: Card | undefined;
  /** As it is now. */
  readonly reload: () => Promise<Card | undefined>;
  /** Called with the changed fields of an existing card, or all fields of a new one. */
  readonly onSave: (fields: Readonly<Record<string, unknown>>, revision: number | undefined) => Promise<Card>;
  /** Stores the whole card as a new one and shows that; absent: there is only this one. */
  readonly onSaveAsNew?: ((fields: Readonly<Record<string, unknown>>) => Promise<unknown>) | undefined;
  /** Id, where the card is one of several. */
  readonly id?: string | undefined;
}

/** The form of a card, with the share of each field in the prompt and a preview. */
export function CardEditor<Card extends StoredCard>({
  card: latest,
  reload,
  onSave,
  onSaveAsNew,
  id = "",
}: CardEditorProps<Card>) {
  const { t } = useTexts();
  // What others change meanwhile must not run over what is being written.
  const [card, setCard] = useState(latest);
  const [values, setValues] = useState(() => toCardValues(latest));
  const { toHandler, isBusy, error } = useAction([]);
  const changes = toPatch(values, toCardValues(card));
  const isChanged = Object.keys(changes).length > 0;
  const ownChanges = diffValues(values, toCardValues(card));
  const isBroken = hasStateError(values);
  const preview = usePromptPreview(values);
  const update = (patch: Partial<CardValues>) => setValues((before) => ({ ...before, ...patch }));
  const tokens = preview.data?.tokens ?? {};
  const text = (name: LongTextField, minRows = 3) => (
    <FormControl key={name} name={name}>
      <LongTextInput
        label={t(name)}
        tokens={tokens[name]}
        minRows={minRows}
        value={values[name]}
        onChange={(value) => update({ [name]: value })}
      />
    </FormControl>
  );
  const take = (now: Card) => {
    setCard(now);
    setValues(toCardValues(now));
  };
  const readTheirs = toHandler(async () => {
    const now = await reload();
    if (now) take(now);
  });
  const storeAt = (revision: number | undefined) =>
    toHandler(async () => take(await onSave(card ? changes : toCardFields(values), revision)));
  const save = storeAt(card?.revision);
  const meanwhile = card && {
    id,
    comparison: createComparison<CardValues>(ownChanges, async () => toCardValues(await reload()), update),
    onTakeTheirs: readTheirs,
    onKeepMine: storeAt(getConflictRevision(error)),
    ...(onSaveAsNew && { onSaveAsNew: toHandler(() => onSaveAsNew(toCardFields(values))) }),
  };
  return (
    <Form
      className={cardEditorCss.cardEditor}
      error={error}
      onSubmit={() => !isBroken && save()}
      isChanged={isChanged}
      conflict={meanwhile}
    >
      <Stack gap="md" style={{ minWidth: 0 }}>
        <Fieldset legend={t("whoItIs")}>
          <Stack gap="sm">
            <TextField
              name="name"
              label={t("name")}
              required
              maxLength={100}
              value={values.name}
              onChange={(name) => update({ name })}
              testId="card-name"
            />
            <TagsField
              name="tags"
              label={t("tags")}
              value={values.tags}
              onChange={(tags) => update({ tags })}
              maxTags={32}
            />
            {PERSONA_FIELDS.map((name) => text(name))}
          </Stack>
        </Fieldset>
        <Fieldset legend={t("greetings")}>
          <Greetings
            greetings={values.greetings}
            onChange={(greetings) => update({ greetings })}
            card={toCardFields(values)}
            isNamed={values.name.trim() !== ""}
          />
        </Fieldset>
        <Fieldset legend={t("howItTalks")}>
          <Stack gap="sm">
            {text("rules")}
            {DIALOGUE_FIELDS.map((name) => text(name))}
          </Stack>
        </Fieldset>
        <Fieldset legend={t("about")}>
          <Stack gap="sm">
            <Group grow align="start">
              {(["creator", "character_version"] as const).map((name) => (
                <TextField
                  key={name}
                  name={name}
                  label={t(name)}
                  maxLength={200}
                  value={values[name]}
                  onChange={(text) => update({ [name]: text })}
                />
              ))}
            </Group>
            {text("creator_notes", 2)}
            <StateField values={values} isBroken={isBroken} onChange={update} />
          </Stack>
        </Fieldset>
      </Stack>
      <aside className={cardEditorCss.cardSide}>
        <PictureField values={values} onChange={update} card={toCardFields(values)} />
        <PromptBox values={values} onChange={update} preview={preview.data} />
        <FormErrors />
        <Group className={cardEditorCss.cardSave} data-save-bar justify="space-between">
          <Text size="xs" c="dimmed">
            {isChanged ? t("unsaved") : ""}
          </Text>
          <Button type="submit" loading={isBusy} disabled={!isChanged || isBroken} data-testid="save-card">
            {t(card ? "save" : "create")}
          </Button>
        </Group>
      </aside>
    </Form>
  );
}

interface LongTextInputProps {
  readonly label: string;
  readonly tokens: number | undefined;
  readonly minRows: number;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: React.ReactNode;
}

function LongTextInput({ label, tokens, minRows, value, onChange, error }: LongTextInputProps) {
  const { t } = useTexts();
  return (
    <div className={cardEditorCss.longField}>
      <Textarea
        label={label}
        error={error}
        autosize
        minRows={minRows}
        maxRows={18}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {tokens !== undefined && tokens > 0 && (
        <Text size="xs" c="dimmed" className={cardEditorCss.tokenCount} data-testid="token-count">
          {t("tokens", { count: tokens })}
        </Text>
      )}
    </div>
  );
}

/** Returns the changed form values. */
function diffValues(values: CardValues, before: CardValues): Partial<CardValues> {
  const then: Readonly<Record<string, unknown>> = { ...before };
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(then[name])),
  );
}
