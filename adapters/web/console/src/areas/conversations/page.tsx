import { useMediaQuery } from "@mantine/hooks";
import { Suspense, useEffect } from "react";
import { lazy } from "../../shared/load-chunk.ts";
import { LoadingIndicator } from "../../shared/ui/common.tsx";
import { usePathParams } from "../../shared/ui/page/address.ts";
import { ComposerDockContext, DockedComposer, useComposerDock } from "./composer/composer-dock.tsx";
import sessionListCss from "./list/session-list.module.css";
import { SessionList } from "./list/session-list.tsx";
import { StartPage } from "./start.tsx";
import { useTexts } from "./texts.ts";

const loadChat = () => import("./thread/chat.tsx");
const Chat = lazy(async () => ({ default: (await loadChat()).Chat }));

/** Placeholder id of a conversation that is created with its first message. */
const NEW_SESSION_ID = "new";

export function ConversationsPage() {
  const { t } = useTexts();
  const { sessionId } = usePathParams();
  const isOpen = sessionId !== undefined && sessionId !== NEW_SESSION_ID;
  const isPhone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false }) ?? false;
  const isFullScreen = isPhone && sessionId === undefined;
  const dock = useComposerDock();
  // The start page does not need the chat, but it is preloaded for the next step.
  useEffect(() => void loadChat(), []);
  return (
    <div className={sessionListCss.split} data-chat={sessionId !== undefined}>
      <SessionList current={sessionId} isFullScreen={isFullScreen} />
      {!isFullScreen && (
        <section className={sessionListCss.detail} aria-label={t("conversation")}>
          <ComposerDockContext value={dock}>
            <Suspense fallback={<LoadingIndicator />}>
              {isOpen ? (
                <Chat key={sessionId} sessionId={sessionId} />
              ) : (
                <StartPage isNew={sessionId === NEW_SESSION_ID} />
              )}
            </Suspense>
          </ComposerDockContext>
          <DockedComposer dock={dock} />
        </section>
      )}
    </div>
  );
}
