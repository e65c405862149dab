import { useParams } from "@tanstack/react-router";
import { Empty } from "../../shared/ui/empty.tsx";
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
        {sessionId ? <Chat key={sessionId} sessionId={sessionId} /> : <Empty icon="chat" title={t("pickSession")} />}
      </section>
    </div>
  );
}
