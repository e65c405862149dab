import { Accordion, Alert, Button, Checkbox, Group, Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { oneOf } from "../../shared/api/client.ts";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried, warningsIn } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { ChoiceField, LongField, SwitchField, TextField, WordsField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { books, type Entry, type EntryPatch } from "./api.ts";
import { type Draft, isJson, NEW, sceneText, triggersOf, wholeOf } from "./entry-draft.ts";
import { LimitFields } from "./entry-limits.tsx";
import { entryName } from "./entry-name.ts";
import { KINDS, LOGICS, SOURCES } from "./kinds.ts";
import { useTexts } from "./texts.ts";
import worldBooksCss from "./world-books.module.css";

const READ_WITHIN_MS = 30_000;

interface EntryFormProps {
  readonly bookId: string;
  /** Undefined: a new one. */
  readonly entry: Entry | undefined;
  /** It is gone: only what was written of it is left. */
  readonly isRemoved: boolean;
  /** Reads it as it is now. */
  readonly again: () => Promise<unknown>;
  readonly stored: (entry: Entry) => void;
  readonly removed: (id: string) => void;
}

export function EntryForm({ bookId, entry: latest, isRemoved, again, stored, removed }: EntryFormProps) {
  const { t } = useTexts();
  // What others change meanwhile must not run over what is being written.
  const [entry, setEntry] = useState(latest);
  const [draft, setDraft] = useState<Draft>((entry ?? NEW) as Draft);
  const [scene, setScene] = useState(() => sceneText(draft.state_triggers));
  const [card, setCard] = useState(() => JSON.stringify(draft.card, undefined, 2));
  const [changed, setChanged] = useState<ReadonlySet<keyof Draft>>(new Set());
  const { tried, isBusy, error } = useTried([]);
  const form = useRef<HTMLDivElement>(null);
  // On a phone it stands below the list.
  useEffect(() => {
    if (matchMedia("(max-width: 52rem)").matches) form.current?.scrollIntoView({ block: "start" });
  }, []);
  const put = <Key extends keyof Draft>(key: Key, value: Draft[Key]) => {
    setDraft((before) => ({ ...before, [key]: value }));
    setChanged((before) => new Set(before).add(key));
  };
  const isLost = isRemoved && changed.size === 0;
  useEffect(() => {
    if (isLost && latest) removed(latest.id);
  }, [isLost, latest, removed]);
  const writing = useRef({ draft, card, changed });
  writing.current = { draft, card, changed };
  /** Shows it as it is stored, but for what is still being written. */
  const take = (now: Entry, open: ReadonlySet<keyof Draft> = new Set()) => {
    setEntry(now);
    setDraft((mine) => ({ ...(now as Draft), ...Object.fromEntries([...open].map((key) => [key, mine[key]])) }));
    if (!open.has("state_triggers")) setScene(sceneText(now.state_triggers));
    if (!open.has("card")) setCard(JSON.stringify(now.card, undefined, 2));
    setChanged(open);
  };
  if (latest && latest.revision !== entry?.revision && changed.size === 0 && !isBusy) take(latest);
  const store = async (revision: number | undefined) => {
    const patch = Object.fromEntries([...changed].map((key) => [key, draft[key]])) as EntryPatch;
    const whole = { ...patch, ...(changed.has("card") && { card: JSON.parse(card) }) };
    const made = entry
      ? await books.updateEntry(bookId, entry.id, whole, revision)
      : await books.addEntry(bookId, { ...whole, content: draft.content });
    const { draft: mine, card: mineCard, changed: all } = writing.current;
    take(made, new Set([...all].filter((key) => mine[key] !== draft[key] || (key === "card" && mineCard !== card))));
    stored(made);
  };
  const save = tried(() => store(entry?.revision));
  const anew = tried(async () => {
    stored(await books.addEntry(bookId, wholeOf({ ...draft, card: JSON.parse(card) })));
  });
  const readTheirs = tried(async () => {
    await again();
    setChanged(new Set());
  });
  const readEntry = async () => {
    const all = await books.entries(bookId, AbortSignal.timeout(READ_WITHIN_MS));
    return oneOf({ items: all }, entry?.id ?? "") as Draft;
  };
  const takeSome = (theirs: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...theirs }));
    if (theirs.state_triggers) setScene(sceneText(theirs.state_triggers));
    if (theirs.card) setCard(JSON.stringify(theirs.card, undefined, 2));
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (changed.size > 0) void save();
  };
  const field = <Key extends keyof Draft & string>(name: Key) => ({
    name,
    value: draft[name],
    put: (value: Draft[Key]) => put(name, value),
  });
  return (
    <Form
      isChanged={changed.size > 0}
      error={error}
      submit={save}
      meanwhile={
        entry && {
          id: entry.id,
          isRemoved,
          compared: compared<Draft>(
            Object.fromEntries([...changed].map((key) => [key, draft[key]])),
            readEntry,
            takeSome,
          ),
          theirs: readTheirs,
          mine: tried(() => store(theirRevision(error))),
          anew,
        }
      }
      className={worldBooksCss.wbForm}
      onKeyDown={onKeyDown}
      data-testid="entry-form"
    >
      <Stack gap="sm" ref={form}>
        {(entry ? warningsIn(entry) : []).map((warning) => (
          <Alert key={warning} color="yellow" p="xs" style={{ overflowWrap: "anywhere" }}>
            {warning}
          </Alert>
        ))}
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextField label={t("name")} placeholder={t("nameHint")} miw="12rem" {...field("name")} />
          <ChoiceField
            label={t("kind")}
            data={KINDS.map((kind) => ({ value: kind, label: t(kind) }))}
            maw="12rem"
            {...field("entry_type")}
          />
        </Group>
        <WordsField
          label={t("keywords")}
          description={t("keywordsHint")}
          splitChars={draft.use_regex ? [] : [",", "，", "、"]}
          {...field("keywords")}
          testId="entry-keywords"
        />
        <LongField
          label={t("content")}
          minRows={5}
          maxRows={18}
          required
          {...field("content")}
          testId="entry-content"
        />
        <Group gap="lg">
          <SwitchField label={t("enabled")} {...field("enabled")} />
          <SwitchField label={t("alwaysOn")} {...field("always_on")} />
        </Group>
        <Accordion variant="separated" multiple>
          <Accordion.Item value="matching">
            <Accordion.Control>{t("matching")}</Accordion.Control>
            <Accordion.Panel>
              <Stack gap="sm">
                <Checkbox.Group
                  label={t("lookedFor")}
                  value={[...draft.trigger_sources]}
                  onChange={(sources) => sources.length > 0 && put("trigger_sources", sources as never)}
                >
                  <Group gap="md" mt={6}>
                    {SOURCES.map((source) => (
                      <Checkbox key={source} size="sm" value={source} label={t(source)} />
                    ))}
                  </Group>
                </Checkbox.Group>
                <Group gap="lg" align="flex-end">
                  <ChoiceField
                    label={t("needs")}
                    data={[
                      { value: "any", label: t("any") },
                      { value: "all", label: t("allKeywords") },
                    ]}
                    {...field("match_mode")}
                  />
                  <SwitchField label={t("caseSensitive")} {...field("case_sensitive")} />
                  <SwitchField label={t("useRegex")} {...field("use_regex")} />
                </Group>
                <SwitchField label={t("selective")} {...field("selective")} />
                <Group grow align="flex-end" preventGrowOverflow={false}>
                  <WordsField label={t("second")} disabled={!draft.selective} {...field("secondary_keywords")} />
                  <ChoiceField
                    aria-label={t("second")}
                    data={LOGICS.map((logic) => ({ value: logic, label: t(logic) }))}
                    disabled={!draft.selective}
                    maw="12rem"
                    {...field("selective_logic")}
                  />
                </Group>
                <LongField
                  name="state_triggers"
                  label={t("sceneTriggers")}
                  description={t("sceneHint")}
                  minRows={1}
                  value={scene}
                  put={(text) => {
                    setScene(text);
                    put("state_triggers", triggersOf(text));
                  }}
                />
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
          <Accordion.Item value="limits">
            <Accordion.Control>{t("limits")}</Accordion.Control>
            <Accordion.Panel>
              <LimitFields draft={draft} put={put} card={card} setCard={setCard} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        <FormFailure />
        <Group justify="space-between">
          <Button
            type="submit"
            loading={isBusy}
            disabled={changed.size === 0 || draft.content.trim() === "" || !isJson(card)}
            data-testid="save-entry"
          >
            {t("save")}
          </Button>
          {entry && (
            <ConfirmButton
              label={t("remove")}
              what={entryName(entry)}
              text={t("removeEntry")}
              run={async () => {
                await books.removeEntry(bookId, entry.id);
                removed(entry.id);
              }}
            />
          )}
        </Group>
      </Stack>
    </Form>
  );
}
