import { Alert, Button, Checkbox, Code, Group, Stack, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { ignoreNotFound } from "../../shared/api/client.ts";
import type { KeyOf } from "../../shared/i18n/i18n.ts";
import { toJsonObject } from "../../shared/json-object.ts";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { books, type Comparison, type Entry } from "./api.ts";
import { forEachConcurrent } from "./for-each-concurrent.ts";
import { useTexts } from "./texts.ts";
import worldBooksCss from "./world-books.module.css";

interface ImportComparisonProps {
  readonly bookId: string;
  readonly comparison: Comparison;
  readonly entries: readonly Entry[];
  readonly onDone: () => void;
}

/** Texts of the fields, the same as in the form of an entry. */
const FIELD_TEXTS: Readonly<Record<string, KeyOf<typeof useTexts>>> = {
  name: "name",
  content: "content",
  keywords: "keywords",
  secondary_keywords: "secondary",
  enabled: "enabled",
  entry_type: "kind",
  priority: "priority",
  weight: "weight",
  insertion_order: "insertionOrder",
  trigger_sources: "triggerSources",
  always_on: "alwaysOn",
  case_sensitive: "caseSensitive",
  use_regex: "useRegex",
  match_mode: "matchMode",
  selective: "selective",
  state_triggers: "sceneTriggers",
  cooldown_turns: "cooldown",
  max_injections_per_session: "maxInsertions",
  tags: "tags",
  card: "cardFields",
};

const BATCH_SIZE = 500;
const MAX_VISIBLE_ENTRIES = 200;

/** The differences between the book and a newer file: added, changed and removed entries, each kind to apply or not. */
export function ImportComparison({ bookId, comparison, entries, onDone }: ImportComparisonProps) {
  const { t } = useTexts();
  const { added, changed, removed, same } = comparison;
  const notes = [...comparison.errors.map(({ error }) => error), ...(comparison.warnings ?? [])];
  const [kinds, setKinds] = useState({ added: true, changed: true, removed: false });
  const { toHandler, isBusy, error } = useAction([["world_book"]]);
  const addedCount = useRef(0);
  const entryById = new Map(entries.map((entry) => [entry.id, entry]));
  const apply = toHandler(async () => {
    // After a failure, a second attempt continues with the batches that are not added yet.
    for (; kinds.added && addedCount.current < added.length; addedCount.current += BATCH_SIZE)
      await books.addEntries(bookId, added.slice(addedCount.current, addedCount.current + BATCH_SIZE));
    if (kinds.changed)
      await forEachConcurrent(changed, ({ entry_id, patch }) => books.updateEntry(bookId, entry_id, patch));
    if (kinds.removed)
      await forEachConcurrent(removed, ({ entry_id }) => books.removeEntry(bookId, entry_id).catch(ignoreNotFound));
    onDone();
  });
  const isSame = added.length + changed.length + removed.length === 0;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {isSame ? t("nothingChanged") : t("compareHint")} {same > 0 && t("same", { count: same })}
      </Text>
      {notes.length > 0 && (
        <Alert color="yellow">
          {notes.slice(0, 5).map((note) => (
            <Text key={note} size="sm">
              {note}
            </Text>
          ))}
        </Alert>
      )}
      {added.length > 0 && (
        <ComparisonSection
          label={t("added", { count: added.length })}
          isOn={kinds.added}
          onChange={(isOn) => setKinds({ ...kinds, added: isOn })}
        >
          {added.slice(0, MAX_VISIBLE_ENTRIES).map(({ name = "", content }, at) => (
            <FieldChange key={at} title={name} after={content} />
          ))}
        </ComparisonSection>
      )}
      {changed.length > 0 && (
        <ComparisonSection
          label={t("changed", { count: changed.length })}
          isOn={kinds.changed}
          onChange={(isOn) => setKinds({ ...kinds, changed: isOn })}
        >
          {changed.slice(0, MAX_VISIBLE_ENTRIES).map(({ entry_id, name, fields, patch }) => {
            const visibleFields = fields.filter((field) => field !== "card");
            const toName = (field: string) => (FIELD_TEXTS[field] ? t(FIELD_TEXTS[field]) : field);
            const formatFields = (from: object) =>
              visibleFields
                .map((field) => t("changesOf", { name: toName(field), fields: formatValue(toJsonObject(from)[field]) }))
                .join("\n");
            return (
              <FieldChange
                key={entry_id}
                title={t("changesOf", { name, fields: fields.map(toName).join(", ") })}
                before={formatFields(entryById.get(entry_id) ?? {})}
                after={formatFields(patch)}
              />
            );
          })}
        </ComparisonSection>
      )}
      {removed.length > 0 && (
        <ComparisonSection
          label={t("notInFile", { count: removed.length })}
          isOn={kinds.removed}
          onChange={(isOn) => setKinds({ ...kinds, removed: isOn })}
        >
          <Text size="sm">{removed.map(({ name }) => name).join(", ")}</Text>
        </ComparisonSection>
      )}
      <Failure error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t("cancel")}
        </Button>
        <Button onClick={apply} loading={isBusy} disabled={isSame} data-testid="apply-changes">
          {t("applySelected")}
        </Button>
      </Group>
    </Stack>
  );
}

interface ComparisonSectionProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: React.ReactNode;
}

function ComparisonSection({ label, isOn, onChange, children }: ComparisonSectionProps) {
  return (
    <div>
      <Checkbox
        label={label}
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        mb={6}
        fw={600}
      />
      <Stack gap={6} mah="16rem" style={{ overflowY: "auto" }}>
        {children}
      </Stack>
    </div>
  );
}

interface FieldChangeProps {
  readonly title: string;
  readonly before?: string;
  readonly after: string;
}

function FieldChange({ title, before, after }: FieldChangeProps) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      {before !== undefined && (
        <Code block className={worldBooksCss.wbOld} style={{ whiteSpace: "pre-wrap" }}>
          {`− ${before}`}
        </Code>
      )}
      <Code block className={worldBooksCss.wbNew} style={{ whiteSpace: "pre-wrap" }}>
        {`+ ${after}`}
      </Code>
    </div>
  );
}

function formatValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
