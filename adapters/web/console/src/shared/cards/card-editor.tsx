import {
  Alert,
  Badge,
  Button,
  Fieldset,
  Group,
  SegmentedControl,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { characters } from "../api/cards.ts";
import { ApiError, parley } from "../api/client.ts";
import { Failure, useTried } from "../ui/common.tsx";
import { At, Form, FormFailure } from "../ui/form.tsx";
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
import { Greetings } from "./greetings.tsx";
import { PictureField } from "./picture-field.tsx";
import { useTexts } from "./texts.ts";

type TextField = (typeof WHO)[number] | (typeof TALK)[number] | "rules" | "creator_notes";

/** A card as it is kept. */
type Stored = CardFields & { readonly revision: number };

interface CardEditorProps<Card extends Stored> {
  /** Absent: it is a new one. */
  readonly card?: Card | undefined;
  /** As it is now. */
  readonly read: () => Promise<Card | undefined>;
  /** Of a card that is there the fields that are other now; of a new one all. */
  readonly store: (fields: Readonly<Record<string, unknown>>, revision: number | undefined) => Promise<Card>;
}

/** The card as a form: what each field takes of the prompt, and what becomes of them all. */
export function CardEditor<Card extends Stored>({ card: latest, read, store }: CardEditorProps<Card>) {
  const { t } = useTexts();
  // What others change meanwhile must not run over what is being written.
  const [card, setCard] = useState(latest);
  const [values, setValues] = useState(() => valuesOf(latest));
  const { tried, isBusy, error } = useTried([]);
  const changes = changesOf(values, valuesOf(card));
  const isChanged = Object.keys(changes).length > 0;
  const isBroken = stateProblem(values);
  const preview = usePreview(values);
  const put = (patch: Partial<CardValues>) => setValues((before) => ({ ...before, ...patch }));
  const tokens = preview.data?.tokens ?? {};
  const text = (name: TextField, minRows = 3) => (
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
  const readTheirs = async () => {
    const now = await read();
    if (now) take(now);
  };
  const save = tried(async () => {
    take(await store(card ? changes : fieldsOf(values), card?.revision));
  });
  return (
    <Form className="card-editor" error={error} submit={() => !isBroken && save()} isChanged={isChanged && !isBusy}>
      <Stack gap="md" style={{ minWidth: 0 }}>
        <Fieldset legend={t("whoItIs")}>
          <Stack gap="sm">
            <At name="name">
              <TextInput
                label={t("name")}
                required
                maxLength={100}
                value={values.name}
                onChange={({ currentTarget }) => put({ name: currentTarget.value })}
                data-testid="card-name"
              />
            </At>
            <At name="tags">
              <TagsInput label={t("tags")} value={[...values.tags]} onChange={(tags) => put({ tags })} maxTags={32} />
            </At>
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
                <At key={name} name={name}>
                  <TextInput
                    label={t(name)}
                    maxLength={200}
                    value={values[name]}
                    onChange={({ currentTarget }) => put({ [name]: currentTarget.value })}
                  />
                </At>
              ))}
            </Group>
            {text("creator_notes", 2)}
            <StateField values={values} isBroken={isBroken} put={put} />
          </Stack>
        </Fieldset>
      </Stack>
      <aside className="card-side">
        <PictureField values={values} put={put} card={fieldsOf(values)} />
        <PromptBox values={values} put={put} preview={preview.data} />
        <FormFailure>
          {error instanceof ApiError && error.key === "changed_meanwhile" && (
            <Group gap="xs" mt="xs">
              <Text size="sm">{t("changedMeanwhile")}</Text>
              <Button size="compact-sm" variant="light" onClick={() => void readTheirs()}>
                {t("theirs")}
              </Button>
            </Group>
          )}
        </FormFailure>
        <Group className="card-save" justify="space-between">
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

/** What a model would be told of it as it is written now. */
function usePreview(values: CardValues) {
  const [settled] = useDebouncedValue(values, 400);
  const { portrait: _portrait, avatar: _avatar, ...told } = fieldsOf(settled);
  return useQuery({
    queryKey: ["card-preview", told],
    queryFn: ({ signal }) => characters.preview({ ...told, name: settled.name.trim() || "?" }, signal),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
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
    <div className="long-field">
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
        <Text size="xs" c="dimmed" className="token-count" data-testid="token-count">
          {t("tokens", { count: tokens })}
        </Text>
      )}
    </div>
  );
}

interface PromptBoxProps {
  readonly values: CardValues;
  readonly put: (patch: Partial<CardValues>) => void;
  readonly preview: Awaited<ReturnType<typeof characters.preview>> | undefined;
}

function PromptBox({ values, put, preview }: PromptBoxProps) {
  const { t } = useTexts();
  const isManual = values.system_prompt_mode === "manual";
  const choose = (mode: string) =>
    put({
      system_prompt_mode: mode as CardValues["system_prompt_mode"],
      // Whoever writes by hand begins with what was made.
      ...(mode === "manual" && { system_prompt: values.system_prompt || (preview?.system_prompt ?? "") }),
    });
  return (
    <section aria-label={t("prompt")}>
      <Group justify="space-between" mb={6} gap="xs">
        <Text size="sm" fw={600}>
          {t("preview")}
        </Text>
        {preview && (
          <Badge variant="light" data-testid="prompt-tokens">
            {t("tokens", { count: preview.total })}
          </Badge>
        )}
      </Group>
      <SegmentedControl
        size="xs"
        fullWidth
        mb="xs"
        value={values.system_prompt_mode}
        onChange={choose}
        aria-label={t("system_prompt")}
        data={[
          { value: "auto", label: t("madeOfFields") },
          { value: "manual", label: t("byHand") },
        ]}
      />
      {isManual ? (
        <At name="system_prompt">
          <Textarea
            aria-label={t("system_prompt")}
            autosize
            minRows={8}
            maxRows={24}
            value={values.system_prompt}
            onChange={({ currentTarget }) => put({ system_prompt: currentTarget.value })}
          />
        </At>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre className="prompt-preview" tabIndex={0} data-testid="prompt-preview">
          {preview?.system_prompt ?? ""}
        </pre>
      )}
      {preview && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("promptTotal", { count: preview.total })}
        </Text>
      )}
    </section>
  );
}

interface StateFieldProps {
  readonly values: CardValues;
  readonly isBroken: boolean;
  readonly put: (patch: Partial<CardValues>) => void;
}

function StateField({ values, isBroken, put }: StateFieldProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried([]);
  const suggest = tried(async () => {
    const { state } = await parley.post("/api/personality/ai-generate-state", { body: { card: fieldsOf(values) } });
    put({ initial_state: JSON.stringify(state, null, 2) });
  });
  return (
    <div>
      <At name="initial_state">
        <Textarea
          label={t("initial_state")}
          autosize
          minRows={2}
          maxRows={12}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: ".82rem" } }}
          value={values.initial_state}
          error={isBroken ? t("notJson") : undefined}
          onChange={({ currentTarget }) => put({ initial_state: currentTarget.value })}
        />
      </At>
      <Button
        size="compact-xs"
        variant="subtle"
        mt={4}
        loading={isBusy}
        disabled={!values.name.trim()}
        onClick={suggest}
      >
        {t("suggestState")}
      </Button>
      {error ? (
        <Alert color="red" mt={4}>
          <Failure error={error} />
        </Alert>
      ) : null}
    </div>
  );
}
