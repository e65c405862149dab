import { useMediaQuery } from "@mantine/hooks";
import { useParams } from "@tanstack/react-router";
import { Suspense, useEffect } from "react";
import { lazy } from "../../shared/fetched.ts";
import { Waiting } from "../../shared/ui/common.tsx";
import { Dock, DockedComposer, useComposerDock } from "./composer-dock.tsx";
import sessionListCss from "./session-list.module.css";
import { SessionList } from "./session-list.tsx";
import { Start } from "./start.tsx";
import { useTexts } from "./texts.ts";

const chat = () => import("./chat.tsx");
const Chat = lazy(async () => ({ default: (await chat()).Chat }));

/** In place of an id: a conversation that begins when something is said. */
const NEW = "new";

export function ConversationsPage() {
  const { t } = useTexts();
  const { sessionId } = useParams({ strict: false }) as { sessionId?: string };
  const isOpen = sessionId !== undefined && sessionId !== NEW;
  const isPhone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false }) ?? false;
  const isHome = isPhone && sessionId === undefined;
  const dock = useComposerDock();
  // Where one begins needs nothing of it: it comes behind, for the next step.
  useEffect(() => void chat(), []);
  return (
    <div className={sessionListCss.split} data-chat={sessionId !== undefined}>
      <SessionList current={sessionId} isHome={isHome} />
      {!isHome && (
        <section className={sessionListCss.detail} aria-label={t("conversation")}>
          <Dock value={dock}>
            <Suspense fallback={<Waiting />}>
              {isOpen ? <Chat key={sessionId} sessionId={sessionId} /> : <Start isNew={sessionId === NEW} />}
            </Suspense>
          </Dock>
          <DockedComposer dock={dock} />
        </section>
      )}
    </div>
  );
}
