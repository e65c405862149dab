import { Button, Checkbox, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { downloadFile } from "../../shared/ui/download-file.ts";
import { FileButton } from "../../shared/ui/form/file-button.tsx";
import { filter, type ScopedRule } from "./api.ts";
import { type GroupAndWindow, RuleSchedule } from "./rule-schedule.tsx";
import { RuleScope, type RuleScopeValue } from "./rule-scope.tsx";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["filter_rule"]] as const;
const MAX_WORDS = 100_000;

/** The settings that all words of a list share. */
interface WordListSettings extends GroupAndWindow {
  readonly whole_word?: boolean;
}

/** Imports rules from a list of words, one per line, and exports existing ones as such a list. */
export function WordList({ rules }: { readonly rules: readonly ScopedRule[] }) {
  const { t } = useTexts();
  const [settings, setSettings] = useState<RuleScopeValue & WordListSettings>({
    channel: "global",
    session_id: "",
    action: "strip",
    filter_target: "user",
  });
  const update = (patch: Partial<RuleScopeValue> & WordListSettings) =>
    setSettings((before) => ({ ...before, ...patch }));
  const [text, setText] = useState("");
  const [result, setResult] = useState("");
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const words = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const importAll = toHandler(async () => {
    setResult("");
    const { imported, skipped } = await filter.importWords(words, settings);
    setResult(`${imported} ${t("wordsImported")}, ${skipped} ${t("wordsSkipped")}`);
    setText("");
  });
  const readFile = (file: File | null) => {
    void file?.text().then(setText);
  };
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t("wordListHint")}
      </Text>
      <RuleScope value={settings} onChange={update} />
      <Checkbox
        label={t("wholeWord")}
        description={t("wholeWordHint")}
        checked={settings.whole_word === true}
        onChange={({ currentTarget }) => update({ whole_word: currentTarget.checked })}
        data-testid="words-whole"
      />
      <RuleSchedule value={settings} onChange={update} />
      <Textarea
        label={t("wordList")}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        minRows={6}
        maxRows={12}
        autosize={text.length < 20_000}
        rows={12}
        data-testid="words"
      />
      <Failure error={error} />
      {result && (
        <Text size="sm" role="status" data-testid="words-result">
          {result}
        </Text>
      )}
      <Group justify="space-between">
        <Group gap="xs">
          <FileButton onChange={readFile} accept="text/plain,.txt">
            {(props) => (
              <Button variant="default" {...props}>
                {t("chooseFile")}
              </Button>
            )}
          </FileButton>
          <Button variant="default" onClick={() => downloadWords(rules, settings.channel)} data-testid="export-words">
            {t("exportWords")}
          </Button>
        </Group>
        <Button
          onClick={importAll}
          loading={isBusy}
          disabled={words.length === 0 || words.length > MAX_WORDS}
          data-testid="import-words"
        >
          {t("importWords")} {words.length > 0 && `(${words.length})`}
        </Button>
      </Group>
    </Stack>
  );
}

function downloadWords(rules: readonly ScopedRule[], channel: string): void {
  const words = rules
    .filter((rule) => rule.type === "keyword" && rule.channel === channel)
    .map(({ pattern }) => pattern);
  downloadFile(new Blob([`${words.join("\n")}\n`], { type: "text/plain" }), `words-${channel}.txt`);
}
