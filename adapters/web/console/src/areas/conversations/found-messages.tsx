import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parley } from "../../shared/api/client.ts";
import { shortTimeOf } from "../../shared/ui/common.tsx";
import sessionListCss from "./session-list.module.css";
import { useTexts } from "./texts.ts";

const MOST = 30;

/** What was said with these words, in all conversations. `isFound`: there is some, or nobody knows yet. */
export function useFoundMessages(q: string, archived: "true" | "false") {
  const { data: found, isPending } = useQuery({
    queryKey: ["session", "found-messages", q, archived],
    queryFn: ({ signal }) => parley.get("/api/messages", { query: { q, archived, limit: MOST }, signal }),
    enabled: q !== "",
    placeholderData: (before) => before,
  });
  return { q, found, isFound: q !== "" && (isPending || (found?.items.length ?? 0) > 0) };
}

interface FoundMessagesProps {
  readonly q: string;
  readonly found: ReturnType<typeof useFoundMessages>["found"];
}

/** The messages that were found; each leads to its place. */
export function FoundMessages({ q, found: data }: FoundMessagesProps) {
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
          to="/sessions/$sessionId"
          params={{ sessionId: session_id }}
          search={{ message: message_id } as never}
          className={sessionListCss.session}
          data-testid="found-message"
        >
          <Text size="xs" c="dimmed" truncate>
            {`${session_name} · ${sender || t(role === "user" ? "you" : "ai")} · ${shortTimeOf(timestamp, language)}`}
          </Text>
          <Text size="sm" lineClamp={2} dir="auto">
            <Marked text={excerpt} words={q} />
          </Text>
        </Link>
      ))}
    </section>
  );
}

function Marked({ text, words }: { readonly text: string; readonly words: string }) {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at === -1) return text;
  const end = at + words.length;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, end)}</mark>
      {text.slice(end)}
    </>
  );
}
