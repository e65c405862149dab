import { Badge, Group, NativeSelect, Stack, Text, Textarea, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { ALL, parley } from "../../shared/api/client.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure } from "../../shared/ui/common.tsx";
import { books, type Dropped, type Match, type TrialRequest } from "./api.ts";
import { marked, type Range, readConversation, readScene, type Said } from "./conversation.ts";
import { useTexts } from "./texts.ts";
import worldBooksCss from "./world-books.module.css";

/** A conversation, and live what would come up in it. */
export function Workbench({ bookId }: { readonly bookId?: string }) {
  const { t } = useTexts();
  const [text, setText] = useState("");
  const [sceneText, setSceneText] = useState("");
  const [characterId, setCharacterId] = useState("");
  const [isAlone, setAlone] = useState(bookId !== undefined);
  const people = useQuery({
    queryKey: ["character", "all"],
    queryFn: () => parley.get("/api/characters", { query: ALL }),
    retry: false,
  });
  const character = people.data?.items.find(({ id }) => id === characterId);
  const asked = useDeferredValue(text);
  const said = useMemo(() => readConversation(asked, character?.name), [asked, character?.name]);
  const request = useDeferredValue(
    JSON.stringify(requestOf(said, sceneText, characterId, isAlone ? bookId : undefined)),
  );
  const trial = useQuery({
    queryKey: ["world_book", "trial", request],
    queryFn: () => books.tryOut(JSON.parse(request) as TrialRequest),
    enabled: said.length > 0 || sceneText.trim() !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });
  const isAsked = said.length > 0 || sceneText.trim() !== "";
  const found = isAsked ? trial.data : undefined;
  const injected = found?.matches.filter((match) => match.injected) ?? [];
  const left = found?.dropped ?? [];
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
            label={t("sceneOf")}
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
              ...(people.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        </Group>
        {bookId !== undefined && (
          <NativeSelect
            label={t("whichBooks")}
            value={isAlone ? "this" : "all"}
            onChange={({ currentTarget }) => setAlone(currentTarget.value === "this")}
            data={[
              { value: "this", label: t("thisBook") },
              { value: "all", label: t("booksInForce") },
            ]}
          />
        )}
        <Marked said={said} matches={found?.matches ?? []} />
      </Stack>
      <Stack gap="xs" aria-live="polite">
        <Failure error={isAsked ? trial.error : undefined} />
        <Title order={2} size="h5">
          {t("comesUp")}
          {found && injected.length > 0 && (
            <Text span size="sm" c="dimmed" ms="xs">
              {t("characters", { count: found.injected_chars })}
            </Text>
          )}
        </Title>
        {injected.length === 0 && (
          <Text size="sm" c="dimmed">
            {t("nothingComesUp")}
          </Text>
        )}
        {injected.map((match) => (
          <MatchCard key={match.entry_id} match={match} />
        ))}
        {left.length > 0 && (
          <Title order={2} size="h5" mt="sm">
            {t("doesNot")}
          </Title>
        )}
        {left.map((one) => (
          <LeftCard key={one.entry_id} one={one} />
        ))}
      </Stack>
    </div>
  );
}

function requestOf(
  said: readonly Said[],
  scene: string,
  characterId: string,
  bookId: string | undefined,
): TrialRequest {
  const last = said.at(-1);
  const isUsers = last?.role === "user";
  return {
    message: isUsers ? last.content : "",
    recent_messages: (isUsers ? said.slice(0, -1) : said).slice(-50),
    scene: readScene(scene),
    ...(characterId !== "" && { character_id: characterId }),
    ...(bookId !== undefined && { book_ids: [bookId] }),
  };
}

/** What was said, with the words that brought something up. */
function Marked({ said, matches }: { readonly said: readonly Said[]; readonly matches: readonly Match[] }) {
  const hits = matches.flatMap((match) => match.hits.map((hit) => ({ ...hit, name: match.entry_name })));
  const words = [...new Set(hits.map(({ keyword }) => keyword))];
  const nameOf = (keyword: string) => [
    ...new Set(hits.filter((hit) => hit.keyword.toLowerCase() === keyword.toLowerCase()).map(({ name }) => name)),
  ];
  const inMessage: readonly Range[] = hits.filter(({ place }) => place === "user");
  return (
    <Stack gap={6} data-testid="workbench-marked">
      {said.map(({ role, content }, at) => {
        const isNew = at === said.length - 1 && role === "user";
        return (
          <div key={at} className={worldBooksCss.wbSaid} data-role={role}>
            {marked(content, words, isNew ? inMessage : []).map((piece) =>
              piece.mark === undefined ? (
                piece.text
              ) : (
                <mark key={piece.at} title={nameOf(piece.mark).join(", ")}>
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
    <div className={worldBooksCss.wbResult} data-up="true" data-testid="workbench-up">
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
            {t(source as "user")}
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

function LeftCard({ one }: { readonly one: Dropped }) {
  const { t } = useTexts();
  return (
    <div className={worldBooksCss.wbResult} data-up="false" data-testid="workbench-left">
      <Text size="sm" fw={600}>
        {one.entry_name}
      </Text>
      <Text size="sm" c="dimmed">
        {t(`reason_${one.reason}` as "reason_budget")}
      </Text>
    </div>
  );
}
