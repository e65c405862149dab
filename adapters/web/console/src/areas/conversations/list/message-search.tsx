import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parley } from "../../../shared/api/client.ts";
import { formatShortTime } from "../../../shared/ui/common.tsx";
import { toSessionAddress } from "../../../shared/ui/page/address.ts";
import { useTexts } from "../texts.ts";
import sessionListCss from "./session-list.module.css";

const MAX_MESSAGES = 30;

/** Searches the messages of all conversations. `hasResults` is true also while the search runs. */
export function useMessageSearch(q: string, archived: "true" | "false") {
  const { data: results, isPending } = useQuery({
    queryKey: ["session", "found-messages", q, archived],
    queryFn: ({ signal }) => parley.get("/api/messages", { query: { q, archived, limit: MAX_MESSAGES }, signal }),
    enabled: q !== "",
    placeholderData: (before) => before,
  });
  return { q, results, hasResults: q !== "" && (isPending || (results?.items.length ?? 0) > 0) };
}

interface MessageSearchResultsProps {
  readonly q: string;
  readonly results: ReturnType<typeof useMessageSearch>["results"];
}

/** The found messages, each a link to its place in the conversation. */
export function MessageSearchResults({ q, results: data }: MessageSearchResultsProps) {
  const { t, language } = useTexts();
  if (q === "" || !data || data.items.length === 0) return null;
  return (
    <section aria-label={t("messagesFound")}>
      <Text size="xs" fw={600} c="dimmed" px="sm" py={6}>
        {t("messagesFound")} · {data.total}
      </Text>
      {data.items.map(({ session_id, session_name, message_id, sender, role, timestamp, excerpt }) => (
        <Link
          key={message_id}
          {...toSessionAddress(session_id, message_id)}
          className={sessionListCss.session}
          data-testid="found-message"
        >
          <Text size="xs" c="dimmed" truncate>
            {`${session_name} · ${sender || t(role === "user" ? "you" : "ai")} · ${formatShortTime(timestamp, language)}`}
          </Text>
          <Text size="sm" lineClamp={2} dir="auto">
            <HighlightedText text={excerpt} query={q} />
          </Text>
        </Link>
      ))}
    </section>
  );
}

function HighlightedText({ text, query }: { readonly text: string; readonly query: string }) {
  const at = text.toLowerCase().indexOf(query.toLowerCase());
  if (at === -1) return text;
  const end = at + query.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
