import { Group, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { toSessionAddress } from "../../../shared/ui/page/address.ts";
import { useTexts } from "../texts.ts";
import chatCss from "./chat.module.css";

interface ThreadSearchProps {
  readonly sessionId: string;
  readonly close: () => void;
}

const MAX_RESULTS = 500;

/** Searches one conversation and steps through the matches, newest first. */
export function ThreadSearch({ sessionId, close }: ThreadSearchProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [query, setQuery] = useState("");
  const [q] = useDebouncedValue(query.trim(), 200);
  const [index, setIndex] = useState(0);
  const { data, isFetching } = useQuery({
    queryKey: ["session", "found-within", sessionId, q],
    queryFn: ({ signal }) =>
      parley.get("/api/messages", { query: { q, session_id: sessionId, limit: MAX_RESULTS }, signal }),
    enabled: q !== "",
  });
  const results = data?.items ?? [];
  const targetId = results[index]?.message_id;
  useEffect(() => {
    if (targetId === undefined) return;
    void navigate({ ...toSessionAddress(sessionId, targetId), replace: true });
  }, [targetId, navigate, sessionId]);
  const step = (by: number) =>
    setIndex((now) => (results.length === 0 ? 0 : (now + by + results.length) % results.length));
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key === "Escape") close();
    if (event.key !== "Enter") return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  };
  return (
    <Group className={chatCss.searchWithin} gap="xs" wrap="nowrap" role="search">
      <TextInput
        type="search"
        size="xs"
        style={{ flex: 1 }}
        autoFocus
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
        leftSection={<Icon name="search" size={14} />}
        placeholder={t("searchInConversation")}
        aria-label={t("searchInConversation")}
        data-testid="search-within"
      />
      <Text size="xs" c="dimmed" role="status" style={{ whiteSpace: "nowrap" }}>
        {q !== "" && !isFetching && (results.length === 0 ? t("noMatches") : `${index + 1} / ${data?.total ?? 0}`)}
      </Text>
      <IconButton icon="sortUp" size="sm" label={t("previousMatch")} onClick={() => step(1)} testId="found-older" />
      <IconButton icon="sortDown" size="sm" label={t("nextMatch")} onClick={() => step(-1)} testId="found-newer" />
      <IconButton icon="close" size="sm" label={t("close")} onClick={close} />
    </Group>
  );
}
