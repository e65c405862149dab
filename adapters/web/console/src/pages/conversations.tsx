import { Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useTexts } from "../i18n.ts";
import { Chat } from "../parts/chat.tsx";
import { SessionList } from "../parts/session-list.tsx";

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
