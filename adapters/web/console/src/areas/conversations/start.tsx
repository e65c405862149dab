import { ActionIcon, Text, Title } from "@mantine/core";
import type { Attachment } from "@parley/core";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { useHasScope } from "../../shared/api/console.ts";
import { Failure } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { Logo } from "../../shared/ui/element/logo.tsx";
import { useNavigateIfHere } from "../../shared/ui/page/use-navigate-if-here.ts";
import { useComposer } from "./composer/composer-dock.tsx";
import { NEW_DRAFT as DRAFT } from "./composer/use-draft.ts";
import { RecentSessions } from "./recent-sessions.tsx";
import { SetupChecklist } from "./setup-checklist.tsx";
import startCss from "./start.module.css";
import { useTexts } from "./texts.ts";
import chatCss from "./thread/chat.module.css";
import { TemporaryHint, TemporarySwitch } from "./thread/temporary.tsx";
import { sendFirstMessage } from "./thread/use-conversation.ts";
import { TodayStats } from "./today-stats.tsx";

const noop = async () => {};
/** Composer props of a console conversation, which has no recipients on a channel. */
const CONSOLE_COMPOSER = { target: undefined, isTakenOver: false } as const;

async function createSession(isTemporary: boolean): Promise<string> {
  const { id } = await parley.post("/api/sessions", { body: isTemporary ? { is_temporary: true } : {} });
  return id;
}

/** The start page: setup, recent activity and a composer. A conversation is created only with its first message. */
export function StartPage({ isNew }: { readonly isNew: boolean }) {
  const { t } = useTexts();
  const navigateIfHere = useNavigateIfHere();
  const draftSession = useRef<Promise<string>>(undefined);
  /** True once the composer has moved to the created conversation. */
  const hasMovedOn = useRef(false);
  const [error, setError] = useState<unknown>();
  const [isTemporary, setTemporary] = useState(false);
  const startConversation = async (content: string, attachments: readonly Attachment[], models?: readonly string[]) => {
    setError(undefined);
    const isFirst = draftSession.current === undefined;
    draftSession.current ??= createSession(isTemporary);
    try {
      const id = await draftSession.current;
      const ask = (content: string, attachments: readonly Attachment[]) =>
        sendFirstMessage(id, { content, attachments });
      sendFirstMessage(id, { content, attachments, models });
      if (!isFirst) return;
      hasMovedOn.current = true;
      dock.continueIn({ sessionId: id, conversation: { isRunning: false, ask, stop: noop }, ...CONSOLE_COMPOSER });
      await navigateIfHere({ to: "/sessions/$sessionId", params: { sessionId: id } });
    } catch (thrown) {
      draftSession.current = undefined;
      setError(thrown);
      dock.handle.current?.restore({ content, attachments });
    }
  };
  const canChat = useHasScope("chat");
  const conversation = {
    isRunning: false,
    ask: (content: string, files: readonly Attachment[]) => void startConversation(content, files),
    askModels: (content: string, files: readonly Attachment[], models: readonly string[]) =>
      void startConversation(content, files, models),
    stop: noop,
  };
  const dock = useComposer(DRAFT, canChat && !hasMovedOn.current ? { conversation, ...CONSOLE_COMPOSER } : undefined);
  const isAdmin = useHasScope("admin");
  return (
    <div className={startCss.start} data-new={isNew} data-testid="start">
      <div className={startCss.startScroll}>
        <header className={startCss.startHead}>
          <ActionIcon component={Link} to="/" variant="subtle" color="gray" hiddenFrom="sm" aria-label={t("back")}>
            <Icon name="back" />
          </ActionIcon>
          <Logo size={52} />
          <Title order={1} size="h1">
            {t(isNew ? "newSession" : "startTitle")}
          </Title>
          {canChat && <TemporarySwitch isOn={isTemporary} toggle={() => setTemporary(!isTemporary)} />}
        </header>
        {isTemporary && <TemporaryHint />}
        {isAdmin && <SetupChecklist />}
        {!isNew && <TodayStats />}
        {!isNew && <RecentSessions />}
      </div>
      <div>
        <div className={chatCss.aboveComposer}>
          <Failure error={error} />
        </div>
        {!canChat && (
          <Text p="md" ta="center" c="dimmed" size="sm" data-testid="read-only-notice">
            {t("readOnly")}
          </Text>
        )}
      </div>
    </div>
  );
}
