import { useMediaQuery } from "@mantine/hooks";
import { useParams } from "@tanstack/react-router";
import { Chat } from "./chat.tsx";
import { SessionList } from "./session-list.tsx";
import { Start } from "./start.tsx";
import { useTexts } from "./texts.ts";

/** In place of an id: a conversation that begins when something is said. */
const NEW = "new";

export function ConversationsPage() {
  const { t } = useTexts();
  const { sessionId } = useParams({ strict: false }) as { sessionId?: string };
  const isOpen = sessionId !== undefined && sessionId !== NEW;
  const isPhone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false }) ?? false;
  const isHome = isPhone && sessionId === undefined;
  return (
    <div className="split" data-chat={sessionId !== undefined}>
      <SessionList current={sessionId} isHome={isHome} />
      {!isHome && (
        <section className="detail" aria-label={t("conversation")}>
          {isOpen ? <Chat key={sessionId} sessionId={sessionId} /> : <Start isNew={sessionId === NEW} />}
        </section>
      )}
    </div>
  );
}
