import { ActionIcon, Text, Title } from "@mantine/core";
import type { Attachment } from "@parley/core";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { useMay } from "../../shared/api/console.ts";
import { Failure } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { Sign } from "../../shared/ui/sign.tsx";
import { useLeadOn } from "../../shared/ui/use-lead-on.ts";
import chatCss from "./chat.module.css";
import { useComposer } from "./composer-dock.tsx";
import { RecentSessions } from "./recent-sessions.tsx";
import { SetUp } from "./set-up.tsx";
import startCss from "./start.module.css";
import { TemporaryChoice, TemporaryHint } from "./temporary.tsx";
import { useTexts } from "./texts.ts";
import { TodayNumbers } from "./today-numbers.tsx";
import { sayFirst } from "./use-conversation.ts";
import { NEW_DRAFT as DRAFT } from "./use-draft.ts";

const NOTHING_TO_STOP = async () => {};
/** Nobody outside listens here. */
const OWN = { place: undefined, isTakenOver: false } as const;

async function makeSession(isTemporary: boolean): Promise<string> {
  const { id } = await parley.post("/api/sessions", { body: isTemporary ? { is_temporary: true } : {} });
  return id;
}

/** Where one comes in: what is set up, what is going on, and a composer. Nothing is stored before something is said. */
export function Start({ isNew }: { readonly isNew: boolean }) {
  const { t } = useTexts();
  const leadOn = useLeadOn();
  const begun = useRef<Promise<string>>(undefined);
  /** The composer goes on in the conversation that was made. */
  const isLeft = useRef(false);
  const [error, setError] = useState<unknown>();
  const [isTemporary, setTemporary] = useState(false);
  const begin = async (content: string, attachments: readonly Attachment[], models?: readonly string[]) => {
    setError(undefined);
    const isFirst = begun.current === undefined;
    begun.current ??= makeSession(isTemporary);
    try {
      const id = await begun.current;
      const say = (content: string, attachments: readonly Attachment[]) => sayFirst(id, { content, attachments });
      sayFirst(id, { content, attachments, models });
      if (!isFirst) return;
      isLeft.current = true;
      dock.goOn({ sessionId: id, talk: { isRunning: false, say, stop: NOTHING_TO_STOP }, ...OWN });
      await leadOn({ to: "/sessions/$sessionId", params: { sessionId: id } });
    } catch (thrown) {
      begun.current = undefined;
      setError(thrown);
      dock.handle.current?.giveBack({ content, attachments });
    }
  };
  const mayChat = useMay("chat");
  const talk = {
    isRunning: false,
    say: (content: string, files: readonly Attachment[]) => void begin(content, files),
    askModels: (content: string, files: readonly Attachment[], models: readonly string[]) =>
      void begin(content, files, models),
    stop: NOTHING_TO_STOP,
  };
  const dock = useComposer(DRAFT, mayChat && !isLeft.current ? { talk, ...OWN } : undefined);
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
        {!mayChat && (
          <Text p="md" ta="center" c="dimmed" size="sm" data-testid="look-only">
            {t("lookOnly")}
          </Text>
        )}
      </div>
    </div>
  );
}
