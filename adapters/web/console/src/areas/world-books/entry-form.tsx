import {
  Accordion,
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { books, type Entry, type EntryPatch } from "./api.ts";
import { type Draft, isJson, NEW, sceneText, triggersOf } from "./entry-draft.ts";
import { LimitFields } from "./entry-limits.tsx";
import { KINDS, LOGICS, SOURCES } from "./kinds.ts";
import { useTexts } from "./texts.ts";

interface EntryFormProps {
  readonly bookId: string;
  /** Undefined: a new one. */
  readonly entry: Entry | undefined;
  readonly stored: (entry: Entry) => void;
  readonly removed: (id: string) => void;
}

export function EntryForm({ bookId, entry, stored, removed }: EntryFormProps) {
  const { t } = useTexts();
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
  const save = tried(async () => {
    const patch = Object.fromEntries([...changed].map((key) => [key, draft[key]])) as EntryPatch;
    const whole = { ...patch, ...(changed.has("card") && { card: JSON.parse(card) }) };
    const made = entry
      ? await books.updateEntry(bookId, entry.id, whole)
      : await books.addEntry(bookId, { ...whole, content: draft.content });
    setChanged(new Set());
    stored(made);
  });
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (changed.size > 0) void save();
  };
  const flag = (key: "enabled" | "always_on" | "case_sensitive" | "use_regex" | "selective") => ({
    checked: draft[key],
    onChange: ({ currentTarget }: React.ChangeEvent<HTMLInputElement>) => put(key, currentTarget.checked),
  });
  return (
    <Form
      isChanged={changed.size > 0 && !isBusy}
      error={error}
      submit={save}
      className="wb-form"
      onKeyDown={onKeyDown}
      data-testid="entry-form"
    >
      <Stack gap="sm" ref={form}>
        {entry?.warnings.map((warning) => (
          <Alert key={warning} color="yellow" p="xs" style={{ overflowWrap: "anywhere" }}>
            {warning}
          </Alert>
        ))}
        <Group grow align="flex-start" preventGrowOverflow={false}>
          <At name="name">
            <TextInput
              label={t("name")}
              placeholder={t("nameHint")}
              value={draft.name}
              onChange={({ currentTarget }) => put("name", currentTarget.value)}
              miw="12rem"
            />
          </At>
          <At name="entry_type">
            <NativeSelect
              label={t("kind")}
              value={draft.entry_type}
              onChange={({ currentTarget }) => put("entry_type", currentTarget.value as Draft["entry_type"])}
              data={KINDS.map((kind) => ({ value: kind, label: t(kind) }))}
              maw="12rem"
            />
          </At>
        </Group>
        <At name="keywords">
          <TagsInput
            label={t("keywords")}
            description={t("keywordsHint")}
            value={[...draft.keywords]}
            onChange={(keywords) => put("keywords", keywords)}
            splitChars={draft.use_regex ? [] : [",", "，", "、"]}
            data-testid="entry-keywords"
          />
        </At>
        <At name="content">
          <Textarea
            label={t("content")}
            value={draft.content}
            onChange={({ currentTarget }) => put("content", currentTarget.value)}
            autosize
            minRows={5}
            maxRows={18}
            required
            data-testid="entry-content"
          />
        </At>
        <Group gap="lg">
          <At name="enabled">
            <Switch label={t("enabled")} {...flag("enabled")} />
          </At>
          <At name="always_on">
            <Switch label={t("alwaysOn")} {...flag("always_on")} />
          </At>
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
                  <At name="match_mode">
                    <NativeSelect
                      label={t("needs")}
                      value={draft.match_mode}
                      onChange={({ currentTarget }) => put("match_mode", currentTarget.value as Draft["match_mode"])}
                      data={[
                        { value: "any", label: t("any") },
                        { value: "all", label: t("allKeywords") },
                      ]}
                    />
                  </At>
                  <At name="case_sensitive">
                    <Switch label={t("caseSensitive")} {...flag("case_sensitive")} />
                  </At>
                  <At name="use_regex">
                    <Switch label={t("useRegex")} {...flag("use_regex")} />
                  </At>
                </Group>
                <At name="selective">
                  <Switch label={t("selective")} {...flag("selective")} />
                </At>
                <Group grow align="flex-end" preventGrowOverflow={false}>
                  <At name="secondary_keywords">
                    <TagsInput
                      label={t("second")}
                      value={[...draft.secondary_keywords]}
                      onChange={(words) => put("secondary_keywords", words)}
                      disabled={!draft.selective}
                    />
                  </At>
                  <At name="selective_logic">
                    <NativeSelect
                      aria-label={t("second")}
                      value={draft.selective_logic}
                      onChange={({ currentTarget }) =>
                        put("selective_logic", currentTarget.value as Draft["selective_logic"])
                      }
                      data={LOGICS.map((logic) => ({ value: logic, label: t(logic) }))}
                      disabled={!draft.selective}
                      maw="12rem"
                    />
                  </At>
                </Group>
                <At name="state_triggers">
                  <Textarea
                    label={t("sceneTriggers")}
                    description={t("sceneHint")}
                    value={scene}
                    onChange={({ currentTarget }) => {
                      setScene(currentTarget.value);
                      put("state_triggers", triggersOf(currentTarget.value));
                    }}
                    autosize
                    minRows={1}
                  />
                </At>
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
              what={entry.name}
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
