import { Button, Fieldset, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { theirRevision } from "../ui/changed-meanwhile.tsx";
import { useTried } from "../ui/common.tsx";
import { compared } from "../ui/differences.tsx";
import { TextField, WordsField } from "../ui/fields.tsx";
import { At, Form, FormFailure } from "../ui/form.tsx";
import cardEditorCss from "./card-editor.module.css";
import {
  type CardFields,
  type CardValues,
  changesOf,
  fieldsOf,
  stateProblem,
  TALK,
  valuesOf,
  WHO,
} from "./card-fields.ts";
import { PromptBox, usePreview } from "./card-prompt.tsx";
import { Greetings } from "./greetings.tsx";
import { PictureField } from "./picture-field.tsx";
import { StateField } from "./state-field.tsx";
import { useTexts } from "./texts.ts";

type LongText = (typeof WHO)[number] | (typeof TALK)[number] | "rules" | "creator_notes";

/** A card as it is kept. */
type Stored = CardFields & { readonly revision: number };

interface CardEditorProps<Card extends Stored> {
  /** Absent: it is a new one. */
  readonly card?: Card | undefined;
  /** As it is now. */
  readonly read: () => Promise<Card | undefined>;
  /** Of a card that is there the fields that are other now; of a new one all. */
  readonly store: (fields: Readonly<Record<string, unknown>>, revision: number | undefined) => Promise<Card>;
  /** Stores the whole card as a new one and shows that; absent: there is only this one. */
  readonly anew?: ((fields: Readonly<Record<string, unknown>>) => Promise<unknown>) | undefined;
  /** Of a card that is one of many. */
  readonly id?: string | undefined;
}

/** The card as a form: what each field takes of the prompt, and what becomes of them all. */
export function CardEditor<Card extends Stored>({ card: latest, read, store, anew, id = "" }: CardEditorProps<Card>) {
  const { t } = useTexts();
  // What others change meanwhile must not run over what is being written.
  const [card, setCard] = useState(latest);
  const [values, setValues] = useState(() => valuesOf(latest));
  const { tried, isBusy, error } = useTried([]);
  const changes = changesOf(values, valuesOf(card));
  const isChanged = Object.keys(changes).length > 0;
  const mine = changedOf(values, valuesOf(card));
  const isBroken = stateProblem(values);
  const preview = usePreview(values);
  const put = (patch: Partial<CardValues>) => setValues((before) => ({ ...before, ...patch }));
  const tokens = preview.data?.tokens ?? {};
  const text = (name: LongText, minRows = 3) => (
    <At key={name} name={name}>
      <Long
        label={t(name)}
        tokens={tokens[name]}
        minRows={minRows}
        value={values[name]}
        put={(value) => put({ [name]: value })}
      />
    </At>
  );
  const take = (now: Card) => {
    setCard(now);
    setValues(valuesOf(now));
  };
  const readTheirs = tried(async () => {
    const now = await read();
    if (now) take(now);
  });
  const storeAt = (revision: number | undefined) =>
    tried(async () => take(await store(card ? changes : fieldsOf(values), revision)));
  const save = storeAt(card?.revision);
  const meanwhile = card && {
    id,
    compared: compared<CardValues>(mine, async () => valuesOf(await read()), put),
    theirs: readTheirs,
    mine: storeAt(theirRevision(error)),
    ...(anew && { anew: tried(() => anew(fieldsOf(values))) }),
  };
  return (
    <Form
      className={cardEditorCss.cardEditor}
      error={error}
      submit={() => !isBroken && save()}
      isChanged={isChanged}
      meanwhile={meanwhile}
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
              put={(name) => put({ name })}
              testId="card-name"
            />
            <WordsField name="tags" label={t("tags")} value={values.tags} put={(tags) => put({ tags })} maxTags={32} />
            {WHO.map((name) => text(name))}
          </Stack>
        </Fieldset>
        <Fieldset legend={t("greetings")}>
          <Greetings
            greetings={values.greetings}
            put={(greetings) => put({ greetings })}
            card={fieldsOf(values)}
            isNamed={values.name.trim() !== ""}
          />
        </Fieldset>
        <Fieldset legend={t("howItTalks")}>
          <Stack gap="sm">
            {text("rules")}
            {TALK.map((name) => text(name))}
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
                  put={(text) => put({ [name]: text })}
                />
              ))}
            </Group>
            {text("creator_notes", 2)}
            <StateField values={values} isBroken={isBroken} put={put} />
          </Stack>
        </Fieldset>
      </Stack>
      <aside className={cardEditorCss.cardSide}>
        <PictureField values={values} put={put} card={fieldsOf(values)} />
        <PromptBox values={values} put={put} preview={preview.data} />
        <FormFailure />
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

interface LongProps {
  readonly label: string;
  readonly tokens: number | undefined;
  readonly minRows: number;
  readonly value: string;
  readonly put: (value: string) => void;
  readonly error?: React.ReactNode;
}

function Long({ label, tokens, minRows, value, put, error }: LongProps) {
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
        onChange={({ currentTarget }) => put(currentTarget.value)}
      />
      {tokens !== undefined && tokens > 0 && (
        <Text size="xs" c="dimmed" className={cardEditorCss.tokenCount} data-testid="token-count">
          {t("tokens", { count: tokens })}
        </Text>
      )}
    </div>
  );
}

/** What of the form is other than it was, as the form has it. */
function changedOf(values: CardValues, before: CardValues): Partial<CardValues> {
  const then: Readonly<Record<string, unknown>> = { ...before };
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(then[name])),
  );
}
