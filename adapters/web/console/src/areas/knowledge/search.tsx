import { Alert, Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import passageCss from "../../shared/styles/passage.module.css";
import { Loaded } from "../../shared/ui/common.tsx";
import { toOption } from "../../shared/ui/form/to-option.ts";
import { type Hit, knowledge } from "./api.ts";
import knowledgeCss from "./knowledge.module.css";
import { useTexts } from "./texts.ts";

const MODES = ["hybrid", "text", "vector"] as const;
const RESULT_COUNT = 10;

/** Search results for a question with their scores, and optionally the context a model would get. */
export function Search({ baseId }: { readonly baseId: string }) {
  const { t } = useTexts();
  const [searchText, setSearchText] = useState("");
  const [mode, setMode] = useState<(typeof MODES)[number]>("hybrid");
  const [isForModel, setForModel] = useState(false);
  const [question] = useDebouncedValue(searchText.trim(), 300);
  const params = { query: question, mode, top_k: RESULT_COUNT, ...(baseId && { base_id: baseId }) };
  const query = useQuery({
    queryKey: ["document", "search", params],
    queryFn: () => knowledge.search(params),
    enabled: question !== "",
    placeholderData: (before) => before,
  });
  return (
    <>
      <Group gap="xs" align="flex-end">
        <TextInput
          style={{ flex: "1 1 14rem" }}
          label={t("question")}
          description={t("searchHint")}
          value={searchText}
          onChange={({ currentTarget }) => setSearchText(currentTarget.value)}
          data-testid="knowledge-question"
        />
        <NativeSelect
          label={t("mode")}
          value={mode}
          onChange={({ currentTarget }) => setMode(toOption(MODES, currentTarget.value))}
          data={MODES.map((value) => ({ value, label: t(`mode_${value}`) }))}
        />
        <Button
          variant={isForModel ? "light" : "default"}
          aria-pressed={isForModel}
          onClick={() => setForModel(!isForModel)}
          data-testid="for-model"
        >
          {t("forModel")}
        </Button>
      </Group>
      {question !== "" && isForModel && <ModelContext question={question} />}
      {question !== "" && (
        <Loaded query={query}>
          {({ items, warnings = [] }) => (
            <>
              {warnings.map((warning) => (
                <Alert key={warning} color="yellow" py="xs" mt="sm" role="note">
                  {warning}
                </Alert>
              ))}
              {items.length === 0 && (
                <Text c="dimmed" size="sm" mt="sm">
                  {t("noHits")}
                </Text>
              )}
              {items.map((hit) => (
                <SearchHit key={hit.chunk_id} hit={hit} />
              ))}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

function SearchHit({ hit }: { readonly hit: Hit }) {
  const { t } = useTexts();
  const { title, heading, chunk, marks, score, text_score, similarity, why } = hit;
  const scoreTexts = { score: score.toFixed(2), words: text_score.toFixed(2), meaning: similarity.toFixed(2) };
  return (
    <article className={passageCss.knowledgePassage} data-testid="knowledge-hit">
      <Text size="sm" fw={600}>
        {[title, heading].filter(Boolean).join(" › ")}
      </Text>
      <HighlightedText text={chunk} marks={marks} />
      <details>
        <summary>
          {t("whyHit")}: {t("scoreOf", scoreTexts)}
        </summary>
        <Text size="xs" c="dimmed">
          {why.terms.map(({ term, weight }) => `${term} ${weight.toFixed(1)}`).join(" · ")}
        </Text>
        <Text size="xs" c="dimmed">
          {why.boosts.map(({ name, factor }) => `${t(`boost_${name}`)} ×${factor.toFixed(2)}`).join(" · ")}
        </Text>
        {why.rerank && (
          <Text size="xs" c="dimmed">
            {"problem" in why.rerank
              ? t("notReranked", { problem: why.rerank.problem })
              : t("reranked", { model: why.rerank.model, before: why.rerank.before })}
          </Text>
        )}
      </details>
    </article>
  );
}

function HighlightedText({ text, marks }: Pick<Hit, "marks"> & { readonly text: string }) {
  const parts = marks.flatMap(([from, to], index) => [
    text.slice(index === 0 ? 0 : marks[index - 1]?.[1], from),
    <mark key={from}>{text.slice(from, to)}</mark>,
  ]);
  return (
    <div>
      {parts}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </div>
  );
}

function ModelContext({ question }: { readonly question: string }) {
  const { t } = useTexts();
  const preview = useQuery({
    queryKey: ["document", "preview", question],
    queryFn: () => knowledge.preview(question),
  });
  return (
    <Loaded query={preview}>
      {({ text }) => (
        <pre className={knowledgeCss.knowledgePrompt} data-testid="model-gets">
          {text === "" ? t("forModelEmpty") : text}
        </pre>
      )}
    </Loaded>
  );
}
