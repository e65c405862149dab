import { Button, Fieldset, Group, Stack, Text, Textarea } from "@mantine/core";
import { TagsField, TextField } from "../ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../ui/form/form.tsx";
import { useRecordForm } from "../ui/form/use-record-form.ts";
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

type StoredCard = CardFields & { readonly revision: number };

interface CardEditorProps<Card extends StoredCard> {
  /** Undefined for a new card. */
  readonly card?: Card | undefined;
  readonly read?: () => Promise<Card>;
  /** Stores the changed fields of an existing card. */
  readonly change?: (fields: Fields, revision: number | undefined) => Promise<Card>;
  /** Stores the whole card as a new one; undefined where there can be only one. */
  readonly create?: (fields: Fields) => Promise<Card>;
  /** Id, where there are several cards. */
  readonly id?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The form of a card, with the share of each field in the prompt and a preview. */
export function CardEditor<Card extends StoredCard>({ card, read, change, create, id = "" }: CardEditorProps<Card>) {
  const { t } = useTexts();
  const form = useRecordForm<CardValues, Card>({
    record: card,
    id,
    toDraft: toCardValues,
    isPatch: true,
    isValid: (values) => !hasStateError(values),
    read,
    ...(change && {
      change: (before, values, ifMatch) => change(toPatch(values, toCardValues(before)), ifMatch),
    }),
    ...(create && { create: (values) => create(toCardFields(values)) }),
  });
  const { props, draft: values, update, isChanged, isValid, isBusy } = form;
  const preview = usePromptPreview(values);
  const tokens = preview.data?.tokens ?? {};
  const text = (name: LongTextField, minRows = 3) => (
    <FormControl key={name} name={name}>
      <LongTextInput label={t(name)} tokens={tokens[name]} minRows={minRows} {...form.field(name)} />
    </FormControl>
  );
  return (
    <Form className={cardEditorCss.cardEditor} {...props}>
      <Stack gap="md" style={{ minWidth: 0 }}>
        <Fieldset legend={t("identity")}>
          <Stack gap="sm">
            <TextField label={t("name")} required maxLength={100} {...form.field("name")} testId="card-name" />
            <TagsField label={t("tags")} {...form.field("tags")} maxTags={32} />
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
        <Fieldset legend={t("speakingStyle")}>
          <Stack gap="sm">
            {text("rules")}
            {DIALOGUE_FIELDS.map((name) => text(name))}
          </Stack>
        </Fieldset>
        <Fieldset legend={t("about")}>
          <Stack gap="sm">
            <Group grow align="start">
              {(["creator", "character_version"] as const).map((name) => (
                <TextField key={name} label={t(name)} maxLength={200} {...form.field(name)} />
              ))}
            </Group>
            {text("creator_notes", 2)}
            <StateField values={values} isInvalid={!isValid} onChange={update} />
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
          <Button type="submit" loading={isBusy} disabled={!isChanged || !isValid} data-testid="save-card">
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
