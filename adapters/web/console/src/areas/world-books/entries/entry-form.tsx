import { Accordion, Alert, Button, Checkbox, Group, Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { findById } from "../../../shared/api/client.ts";
import { parseJsonObject } from "../../../shared/json-object.ts";
import { pick } from "../../../shared/objects.ts";
import { useAction } from "../../../shared/ui/common.tsx";
import { ConfirmButton } from "../../../shared/ui/feedback/confirm.tsx";
import { createComparison } from "../../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../../shared/ui/form/edit-conflict.tsx";
import { SelectField, SwitchField, TagsField, TextareaField, TextField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../../shared/ui/form/form.tsx";
import { books, type Entry } from "../api.ts";
import { useTexts } from "../texts.ts";
import worldBooksCss from "../world-books.module.css";
import { type Draft, formatTriggers, NEW_ENTRY, parseTriggers, toEntryDraft } from "./entry-draft.ts";
import { LimitFields } from "./entry-limits.tsx";
import { toEntryName } from "./entry-name.ts";
import { ENTRY_KINDS, SECONDARY_LOGICS, TRIGGER_SOURCES } from "./entry-options.ts";

const READ_TIMEOUT_MS = 30_000;

interface EntryFormProps {
  readonly bookId: string;
  /** Undefined for a new entry. */
  readonly entry: Entry | undefined;
  /** True when somebody else deleted the entry; the draft can still be saved as a new one. */
  readonly isRemoved: boolean;
  readonly onReload: () => Promise<unknown>;
  readonly onStored: (entry: Entry) => void;
  readonly onRemoved: (id: string) => void;
}

export function EntryForm({ bookId, entry: latest, isRemoved, onReload, onStored, onRemoved }: EntryFormProps) {
  const { t } = useTexts();
  // The entry that editing started from: a change by another user must not overwrite the draft.
  const [entry, setEntry] = useState(latest);
  const [draft, setDraft] = useState<Draft>(toEntryDraft(entry ?? NEW_ENTRY));
  const [scene, setScene] = useState(() => formatTriggers(draft.state_triggers));
  const [card, setCard] = useState(() => JSON.stringify(draft.card, undefined, 2));
  const [changed, setChanged] = useState<ReadonlySet<keyof Draft>>(new Set());
  const { toHandler, isBusy, error } = useAction([]);
  const form = useRef<HTMLDivElement>(null);
  // On a phone the form is below the list.
  useEffect(() => {
    if (matchMedia("(max-width: 52rem)").matches) form.current?.scrollIntoView({ block: "start" });
  }, []);
  const update = <Key extends keyof Draft>(key: Key, value: Draft[Key]) => {
    setDraft((before) => ({ ...before, [key]: value }));
    setChanged((before) => new Set(before).add(key));
  };
  const isGone = isRemoved && changed.size === 0;
  useEffect(() => {
    if (isGone && latest) onRemoved(latest.id);
  }, [isGone, latest, onRemoved]);
  const latestDraft = useRef({ draft, card, changed });
  latestDraft.current = { draft, card, changed };
  /** Shows the stored entry except for fields with unsaved changes. */
  const reset = (now: Entry, unsaved: ReadonlySet<keyof Draft> = new Set()) => {
    setEntry(now);
    setDraft((before) => ({ ...toEntryDraft(now), ...pick(before, [...unsaved]) }));
    if (!unsaved.has("state_triggers")) setScene(formatTriggers(now.state_triggers));
    if (!unsaved.has("card")) setCard(JSON.stringify(now.card, undefined, 2));
    setChanged(unsaved);
  };
  if (latest && latest.revision !== entry?.revision && changed.size === 0 && !isBusy) reset(latest);
  const store = async (revision: number | undefined) => {
    const patch = pick(draft, [...changed]);
    const body = { ...patch, ...(changed.has("card") && { card: JSON.parse(card) }) };
    const stored = entry
      ? await books.updateEntry(bookId, entry.id, body, revision)
      : await books.addEntry(bookId, { ...body, content: draft.content });
    const { draft: mine, card: mineCard, changed: all } = latestDraft.current;
    reset(stored, new Set([...all].filter((key) => mine[key] !== draft[key] || (key === "card" && mineCard !== card))));
    onStored(stored);
  };
  const save = toHandler(() => store(entry?.revision));
  const saveAsNew = toHandler(async () => {
    onStored(await books.addEntry(bookId, toEntryDraft({ ...draft, card: JSON.parse(card) })));
  });
  const takeTheirs = toHandler(async () => {
    await onReload();
    setChanged(new Set());
  });
  const readEntry = async () => {
    const all = await books.listEntries(bookId, AbortSignal.timeout(READ_TIMEOUT_MS));
    return toEntryDraft(findById({ items: all }, entry?.id ?? ""));
  };
  const takeFields = (theirs: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...theirs }));
    if (theirs.state_triggers) setScene(formatTriggers(theirs.state_triggers));
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
    onChange: (value: Draft[Key]) => update(name, value),
  });
  return (
    <Form
      isChanged={changed.size > 0}
      error={error}
      onSubmit={save}
      conflict={
        entry && {
          id: entry.id,
          isRemoved,
          comparison: createComparison<Draft>(
            Object.fromEntries([...changed].map((key) => [key, draft[key]])),
            readEntry,
            takeFields,
          ),
          onTakeTheirs: takeTheirs,
          onKeepMine: toHandler(() => store(getConflictRevision(error))),
          onSaveAsNew: saveAsNew,
        }
      }
      className={worldBooksCss.wbForm}
      onKeyDown={onKeyDown}
      data-testid="entry-form"
    >
      <Stack gap="sm" ref={form}>
        {(entry ? entry.warnings : []).map((warning) => (
          <Alert key={warning} color="yellow" p="xs" style={{ overflowWrap: "anywhere" }}>
            {warning}
          </Alert>
        ))}
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <TextField label={t("name")} placeholder={t("nameHint")} miw="12rem" {...field("name")} />
          <SelectField
            label={t("kind")}
            data={ENTRY_KINDS.map((kind) => ({ value: kind, label: t(kind) }))}
            maw="12rem"
            {...field("entry_type")}
          />
        </Group>
        <TagsField
          label={t("keywords")}
          description={t("keywordsHint")}
          splitChars={draft.use_regex ? [] : [",", "，", "、"]}
          {...field("keywords")}
          testId="entry-keywords"
        />
        <TextareaField
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
                  label={t("triggerSources")}
                  value={[...draft.trigger_sources]}
                  onChange={(sources) => sources.length > 0 && update("trigger_sources", sources)}
                >
                  <Group gap="md" mt={6}>
                    {TRIGGER_SOURCES.map((source) => (
                      <Checkbox key={source} size="sm" value={source} label={t(source)} />
                    ))}
                  </Group>
                </Checkbox.Group>
                <Group gap="lg" align="flex-end">
                  <SelectField
                    label={t("matchMode")}
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
                  <TagsField label={t("secondary")} disabled={!draft.selective} {...field("secondary_keywords")} />
                  <SelectField
                    aria-label={t("secondary")}
                    data={SECONDARY_LOGICS.map((logic) => ({ value: logic, label: t(logic) }))}
                    disabled={!draft.selective}
                    maw="12rem"
                    {...field("selective_logic")}
                  />
                </Group>
                <TextareaField
                  name="state_triggers"
                  label={t("sceneTriggers")}
                  description={t("sceneHint")}
                  minRows={1}
                  value={scene}
                  onChange={(text) => {
                    setScene(text);
                    update("state_triggers", parseTriggers(text));
                  }}
                />
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
          <Accordion.Item value="limits">
            <Accordion.Control>{t("limits")}</Accordion.Control>
            <Accordion.Panel>
              <LimitFields draft={draft} onChange={update} card={card} setCard={setCard} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
        <FormErrors />
        <Group justify="space-between">
          <Button
            type="submit"
            loading={isBusy}
            disabled={changed.size === 0 || draft.content.trim() === "" || !parseJsonObject(card)}
            data-testid="save-entry"
          >
            {t("save")}
          </Button>
          {entry && (
            <ConfirmButton
              label={t("remove")}
              what={toEntryName(entry)}
              text={t("removeEntry")}
              run={async () => {
                await books.removeEntry(bookId, entry.id);
                onRemoved(entry.id);
              }}
            />
          )}
        </Group>
      </Stack>
    </Form>
  );
}
