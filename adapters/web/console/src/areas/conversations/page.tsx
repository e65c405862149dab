import { Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { Chat } from "./chat.tsx";
import { SessionList } from "./session-list.tsx";
import { useTexts } from "./texts.ts";

export function ConversationsPage() {
  const { t } = useTexts();
  const { sessionId } = useParams({ strict: false }) as { sessionId?: string };
  return (
    <div className="split" data-chat={sessionId !== undefined}>
      <SessionList current={sessionId} />
      <section className="detail" aria-label={t("conversation")}>
        {sessionId ? (
          <Chat key={sessionId} sessionId={sessionId} />
        ) : (
          <Text p="xl" c="dimmed" size="sm">
            {t("pickSession")}
          </Text>
        )}
      </section>
    </div>
  );
}
