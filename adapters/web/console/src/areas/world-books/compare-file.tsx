import { Alert, Button, Checkbox, Code, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { KeyOf } from "../../shared/i18n/i18n.ts";
import { Failure, toldOf, useTried, warningsIn } from "../../shared/ui/common.tsx";
import { books, type Comparison, type Entry, withEach } from "./api.ts";
import { useTexts } from "./texts.ts";
import worldBooksCss from "./world-books.module.css";

interface CompareFileProps {
  readonly bookId: string;
  readonly comparison: Comparison;
  /** As they are now. */
  readonly entries: readonly Entry[];
  readonly done: () => void;
}

type Values = Readonly<Record<string, unknown>>;

/** As the form of an entry calls them. */
const FIELDS: Readonly<Record<string, KeyOf<typeof useTexts>>> = {
  name: "name",
  content: "content",
  keywords: "keywords",
  secondary_keywords: "second",
  enabled: "enabled",
  entry_type: "kind",
  priority: "priority",
  weight: "weight",
  insertion_order: "insertionOrder",
  trigger_sources: "lookedFor",
  always_on: "alwaysOn",
  case_sensitive: "caseSensitive",
  use_regex: "useRegex",
  match_mode: "needs",
  selective: "selective",
  state_triggers: "sceneTriggers",
  cooldown_turns: "cooldown",
  max_injections_per_session: "most",
  tags: "tags",
  card: "cardFields",
};

const AT_ONCE = 500;
const SHOWN = 200;

/** What a newer file would change in the book, to take over kind by kind. */
export function CompareFile({ bookId, comparison, entries, done }: CompareFileProps) {
  const { t } = useTexts();
  const { added, changed, removed, same } = comparison;
  const notes = [...comparison.errors.map(toldOf), ...warningsIn(comparison)];
  const [kinds, setKinds] = useState({ added: true, changed: true, removed: false });
  const { tried, isBusy, error } = useTried([["world_book"]]);
  const now = new Map(entries.map((entry) => [entry.id, entry]));
  const apply = tried(async () => {
    if (kinds.added) {
      for (let at = 0; at < added.length; at += AT_ONCE) {
        await books.addEntries(bookId, added.slice(at, at + AT_ONCE));
      }
    }
    if (kinds.changed) await withEach(changed, ({ entry_id, patch }) => books.updateEntry(bookId, entry_id, patch));
    if (kinds.removed) await withEach(removed, ({ entry_id }) => books.removeEntry(bookId, entry_id));
    done();
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
        <Part
          label={t("added", { count: added.length })}
          isOn={kinds.added}
          put={(isOn) => setKinds({ ...kinds, added: isOn })}
        >
          {added.slice(0, SHOWN).map(({ name = "", content }, at) => (
            <Change key={at} title={name} after={content} />
          ))}
        </Part>
      )}
      {changed.length > 0 && (
        <Part
          label={t("changed", { count: changed.length })}
          isOn={kinds.changed}
          put={(isOn) => setKinds({ ...kinds, changed: isOn })}
        >
          {changed.slice(0, SHOWN).map(({ entry_id, name, fields, patch }) => {
            const shown = fields.filter((field) => field !== "card");
            const called = (field: string) => (FIELDS[field] ? t(FIELDS[field]) : field);
            const values = (from: object) =>
              shown
                .map((field) => t("changesOf", { name: called(field), fields: wordsOf((from as Values)[field]) }))
                .join("\n");
            return (
              <Change
                key={entry_id}
                title={t("changesOf", { name, fields: fields.map(called).join(", ") })}
                before={values(now.get(entry_id) ?? {})}
                after={values(patch)}
              />
            );
          })}
        </Part>
      )}
      {removed.length > 0 && (
        <Part
          label={t("gone", { count: removed.length })}
          isOn={kinds.removed}
          put={(isOn) => setKinds({ ...kinds, removed: isOn })}
        >
          <Text size="sm">{removed.map(({ name }) => name).join(", ")}</Text>
        </Part>
      )}
      <Failure error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={done}>
          {t("cancel")}
        </Button>
        <Button onClick={apply} loading={isBusy} disabled={isSame} data-testid="take-over">
          {t("takeOver")}
        </Button>
      </Group>
    </Stack>
  );
}

interface PartProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly put: (isOn: boolean) => void;
  readonly children: React.ReactNode;
}

function Part({ label, isOn, put, children }: PartProps) {
  return (
    <div>
      <Checkbox
        label={label}
        checked={isOn}
        onChange={({ currentTarget }) => put(currentTarget.checked)}
        mb={6}
        fw={600}
      />
      <Stack gap={6} mah="16rem" style={{ overflowY: "auto" }}>
        {children}
      </Stack>
    </div>
  );
}

function Change({
  title,
  before,
  after,
}: {
  readonly title: string;
  readonly before?: string;
  readonly after: string;
}) {
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

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
