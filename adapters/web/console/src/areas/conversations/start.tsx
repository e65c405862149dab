import { ActionIcon, Text, Title } from "@mantine/core";
import type { Attachment } from "@parley/core";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { useMay } from "../../shared/api/console.ts";
import { useLive } from "../../shared/live/live.tsx";
import { Failure } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Sign } from "../../shared/ui/sign.tsx";
import { useLeadOn } from "../../shared/ui/use-lead-on.ts";
import chatCss from "./chat.module.css";
import { Composer, type ComposerHandle } from "./composer.tsx";
import { RecentSessions } from "./recent-sessions.tsx";
import { SetUp } from "./set-up.tsx";
import startCss from "./start.module.css";
import { TemporaryChoice, TemporaryHint } from "./temporary.tsx";
import { useTexts } from "./texts.ts";
import { TodayNumbers } from "./today-numbers.tsx";
import { forgetAttachments } from "./use-attachments.ts";
import { firstAsked, newTempId } from "./use-conversation.ts";
import { NEW_DRAFT as DRAFT, forgetDraft } from "./use-draft.ts";

const NOTHING_TO_STOP = async () => {};

/** Where one comes in: what is set up, what is going on, and a composer. Nothing is stored before something is said. */
export function Start({ isNew }: { readonly isNew: boolean }) {
  const { t } = useTexts();
  const leadOn = useLeadOn();
  const live = useLive();
  const composer = useRef<ComposerHandle>(null);
  const [error, setError] = useState<unknown>();
  const [isTemporary, setTemporary] = useState(false);
  const begin = async (content: string, attachments: readonly Attachment[], models?: readonly string[]) => {
    setError(undefined);
    try {
      const { id } = await parley.post("/api/sessions", { body: isTemporary ? { is_temporary: true } : {} });
      if (models) firstAsked.set(id, { content, attachments, models });
      // Kept by the browser until the service has it.
      else live?.say({ session_id: id, content, temp_id: newTempId(), attachments });
      forgetDraft(DRAFT);
      forgetAttachments(DRAFT);
      await leadOn({ to: "/sessions/$sessionId", params: { sessionId: id } });
    } catch (thrown) {
      setError(thrown);
      composer.current?.giveBack({ content, attachments });
    }
  };
  const mayChat = useMay("chat");
  const isAdmin = useMay("admin");
  return (
    <div className={startCss.start} data-new={isNew} data-testid="start">
      <div className={startCss.startScroll}>
        <header className={startCss.startHead}>
          <ActionIcon component={Link} to="/" variant="subtle" color="gray" hiddenFrom="sm" aria-label={t("back")}>
            <Icon name="back" />
          </ActionIcon>
          <Sign size={52} />
          <Title order={1} size="h1">
            {t(isNew ? "newSession" : "startTitle")}
          </Title>
          {mayChat && <TemporaryChoice isOn={isTemporary} choose={setTemporary} />}
        </header>
        {isTemporary && <TemporaryHint />}
        {isAdmin && <SetUp />}
        {!isNew && <TodayNumbers />}
        {!isNew && <RecentSessions />}
      </div>
      <div>
        <div className={chatCss.asked}>
          <Failure error={error} />
        </div>
        {mayChat ? (
          <Composer
            sessionId={DRAFT}
            talk={{
              isRunning: false,
              say: (content, files) => void begin(content, files),
              askModels: (content, files, models) => void begin(content, files, models),
              stop: NOTHING_TO_STOP,
            }}
            place={undefined}
            handle={composer}
          />
        ) : (
          <Text p="md" ta="center" c="dimmed" size="sm" data-testid="look-only">
            {t("lookOnly")}
          </Text>
        )}
      </div>
    </div>
  );
}
