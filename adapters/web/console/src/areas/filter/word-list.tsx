import { Button, Checkbox, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { FileButton } from "../../shared/ui/file-button.tsx";
import { filter, type PlacedRule } from "./api.ts";
import { type Belonging, RuleBelongs } from "./rule-belongs.tsx";
import { type Place, RulePlace } from "./rule-place.tsx";
import { useTexts } from "./texts.ts";

const CHANGED = [["filter_rule"]] as const;
const MAX_WORDS = 100_000;

/** The settings that all words of a list share. */
interface Listed extends Belonging {
  readonly whole_word?: boolean;
}

/** Many words at once, one per line; and those that are there, as such a list. */
export function WordList({ rules }: { readonly rules: readonly PlacedRule[] }) {
  const { t } = useTexts();
  const [place, setPlace] = useState<Place & Listed>({
    channel: "global",
    session_id: "",
    action: "strip",
    filter_target: "user",
  });
  const put = (patch: Partial<Place> & Listed) => setPlace((before) => ({ ...before, ...patch }));
  const [text, setText] = useState("");
  const [result, setResult] = useState("");
  const { tried, isBusy, error } = useTried(CHANGED);
  const words = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const load = tried(async () => {
    setResult("");
    const { imported, skipped } = await filter.importWords(words, place);
    setResult(`${imported} ${t("wordsImported")}, ${skipped} ${t("wordsSkipped")}`);
    setText("");
  });
  const read = (file: File | null) => {
    void file?.text().then(setText);
  };
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t("wordListHint")}
      </Text>
      <RulePlace value={place} put={put} />
      <Checkbox
        label={t("wholeWord")}
        description={t("wholeWordHint")}
        checked={place.whole_word === true}
        onChange={({ currentTarget }) => put({ whole_word: currentTarget.checked })}
        data-testid="words-whole"
      />
      <RuleBelongs value={place} put={put} />
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
          <FileButton onChange={read} accept="text/plain,.txt">
            {(props) => (
              <Button variant="default" {...props}>
                {t("chooseFile")}
              </Button>
            )}
          </FileButton>
          <Button variant="default" onClick={() => download(rules, place.channel)} data-testid="export-words">
            {t("exportWords")}
          </Button>
        </Group>
        <Button
          onClick={load}
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

function download(rules: readonly PlacedRule[], channel: string): void {
  const words = rules
    .filter((rule) => rule.type === "keyword" && rule.channel === channel)
    .map(({ pattern }) => pattern);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([`${words.join("\n")}\n`], { type: "text/plain" }));
  link.download = `words-${channel}.txt`;
  link.click();
  URL.revokeObjectURL(link.href);
}
