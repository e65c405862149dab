import { Badge, Group, NativeSelect, Stack, Text, Textarea, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { characters } from "../../../shared/api/characters.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure } from "../../../shared/ui/common.tsx";
import { books, type DroppedEntry, type Match, type TrialRequest } from "../api.ts";
import { useTexts } from "../texts.ts";
import worldBooksCss from "../world-books.module.css";
import { type ConversationLine, parseConversation, parseScene } from "./parse-conversation.ts";
import { type KeywordRange, splitByKeywords } from "./split-by-keywords.ts";

/** A conversation with the entries it would activate, updated live. */
export function Workbench({ bookId }: { readonly bookId?: string }) {
  const { t } = useTexts();
  const [text, setText] = useState("");
  const [sceneText, setSceneText] = useState("");
  const [characterId, setCharacterId] = useState("");
  const [isOnlyThisBook, setOnlyThisBook] = useState(bookId !== undefined);
  const allCharacters = useQuery({ queryKey: ["character", "all"], queryFn: characters.listAll, retry: false });
  const character = allCharacters.data?.find(({ id }) => id === characterId);
  const deferredText = useDeferredValue(text);
  const lines = useMemo(() => parseConversation(deferredText, character?.name), [deferredText, character?.name]);
  const request = useDeferredValue(
    JSON.stringify(toTrialRequest(lines, sceneText, characterId, isOnlyThisBook ? bookId : undefined)),
  );
  const trial = useQuery({
    queryKey: ["world_book", "trial", request],
    queryFn: () => books.tryOut(JSON.parse(request)),
    enabled: lines.length > 0 || sceneText.trim() !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  const hasInput = lines.length > 0 || sceneText.trim() !== "";
  const result = hasInput ? trial.data : undefined;
  const injected = result?.matches.filter((match) => match.injected) ?? [];
  const dropped = result?.dropped ?? [];
  return (
    <div className={worldBooksCss.wbBench}>
      <Stack gap="sm">
        <Textarea
          label={t("conversation")}
          description={t("conversationHint")}
          placeholder={t("conversationSample")}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          autosize
          minRows={6}
          maxRows={16}
          data-testid="workbench-text"
        />
        <Group grow align="flex-start">
          <Textarea
            label={t("scene")}
            placeholder="location: tavern"
            value={sceneText}
            onChange={({ currentTarget }) => setSceneText(currentTarget.value)}
            autosize
            minRows={1}
          />
          <NativeSelect
            label={t("character")}
            value={characterId}
            onChange={({ currentTarget }) => setCharacterId(currentTarget.value)}
            data={[
              { value: "", label: t("noCharacter") },
              ...(allCharacters.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Group>
        {bookId !== undefined && (
          <NativeSelect
            label={t("searchedBooks")}
            value={isOnlyThisBook ? "this" : "all"}
            onChange={({ currentTarget }) => setOnlyThisBook(currentTarget.value === "this")}
            data={[
              { value: "this", label: t("thisBook") },
              { value: "all", label: t("activeBooks") },
            ]}
          />
        )}
        <HighlightedConversation lines={lines} matches={result?.matches ?? []} />
      </Stack>
      <Stack gap="xs" aria-live="polite">
        <Failure error={hasInput ? trial.error : undefined} />
        <Title order={2} size="h5">
          {t("inserted")}
          {result && injected.length > 0 && (
            <Text span size="sm" c="dimmed" ms="xs">
              {t("characters", { count: result.injected_chars })}
            </Text>
          )}
        </Title>
        {injected.length === 0 && (
          <Text size="sm" c="dimmed">
            {t("nothing")}
          </Text>
        )}
        {injected.map((match) => (
          <MatchCard key={match.entry_id} match={match} />
        ))}
        {dropped.length > 0 && (
          <Title order={2} size="h5" mt="sm">
            {t("notInserted")}
          </Title>
        )}
        {dropped.map((one) => (
          <DroppedCard key={one.entry_id} one={one} />
        ))}
      </Stack>
    </div>
  );
}

function toTrialRequest(
  lines: readonly ConversationLine[],
  scene: string,
  characterId: string,
  bookId: string | undefined,
): TrialRequest {
  const last = lines.at(-1);
  const isFromUser = last?.role === "user";
  return {
    message: isFromUser ? last.content : "",
    recent_messages: (isFromUser ? lines.slice(0, -1) : lines).slice(-50),
    scene: parseScene(scene),
    ...(characterId !== "" && { character_id: characterId }),
    ...(bookId !== undefined && { book_ids: [bookId] }),
  };
}

/** The lines of the conversation with matched keywords highlighted. */
function HighlightedConversation({
  lines,
  matches,
}: {
  readonly lines: readonly ConversationLine[];
  readonly matches: readonly Match[];
}) {
  const hits = matches.flatMap((match) => match.hits.map((hit) => ({ ...hit, name: match.entry_name })));
  const words = [...new Set(hits.map(({ keyword }) => keyword))];
  const toEntryNames = (keyword: string) => [
    ...new Set(hits.filter((hit) => hit.keyword.toLowerCase() === keyword.toLowerCase()).map(({ name }) => name)),
  ];
  const inMessage: readonly KeywordRange[] = hits.filter(({ place }) => place === "user");
  return (
    <Stack gap={6} data-testid="workbench-marked">
      {lines.map(({ role, content }, at) => {
        const isNew = at === lines.length - 1 && role === "user";
        return (
          <div key={at} className={worldBooksCss.wbSaid} data-role={role}>
            {splitByKeywords(content, words, isNew ? inMessage : []).map((piece) =>
              piece.keyword === undefined ? (
                piece.text
              ) : (
                <mark key={piece.at} title={toEntryNames(piece.keyword).join(", ")}>
                  {piece.text}
                </mark>
              ),
            )}
          </div>
        );
      })}
    </Stack>
  );
}

function MatchCard({ match }: { readonly match: Match }) {
  const { t } = useTexts();
  const { entry_name, world_book_name, score, trigger_sources, matched_keywords, content_preview, chars } = match;
  return (
    <div className={worldBooksCss.wbResult} data-up="true" data-testid="workbench-inserted">
      <Group gap={6} justify="space-between" wrap="nowrap">
        <Text fw={600} size="sm" className={textCss.oneLine}>
          {entry_name}
        </Text>
        <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
          {t("score", { score: String(score) })} · {t("characters", { count: chars })}
        </Text>
      </Group>
      <Group gap={4} my={4}>
        {trigger_sources.map((source) => (
          <Badge key={source} size="xs" variant="light">
            {t(source)}
          </Badge>
        ))}
        {matched_keywords.map((keyword) => (
          <Badge key={keyword} size="xs" variant="light" color="yellow">
            {keyword}
          </Badge>
        ))}
        <Text size="xs" c="dimmed">
          {world_book_name}
        </Text>
      </Group>
      <Text size="sm" lineClamp={3}>
        {content_preview}
      </Text>
    </div>
  );
}

function DroppedCard({ one: entry }: { readonly one: DroppedEntry }) {
  const { t } = useTexts();
  return (
    <div className={worldBooksCss.wbResult} data-up="false" data-testid="workbench-dropped">
      <Text size="sm" fw={600}>
        {entry.entry_name}
      </Text>
      <Text size="sm" c="dimmed">
        {t(`reason_${entry.reason}`)}
      </Text>
    </div>
  );
}
