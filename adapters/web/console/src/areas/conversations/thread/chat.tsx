import { Alert, Button, Group, Text } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ApiError, parley } from "../../../shared/api/client.ts";
import { useMay } from "../../../shared/api/console.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure, Waiting } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { ConfirmationRequests } from "../../../shared/ui/feedback/confirmation-requests.tsx";
import { toSessionAddress } from "../../../shared/ui/page/address.ts";
import pageCss from "../../../shared/ui/page/page.module.css";
import { useNavigateIfHere } from "../../../shared/ui/page/use-navigate-if-here.ts";
import { useComposer } from "../composer/composer-dock.tsx";
import { useMarkRead } from "../list/unread.ts";
import messageCss from "../message/message.module.css";
import { UnansweredReason } from "../message/unanswered-reason.tsx";
import { useTexts } from "../texts.ts";
import { useSpokenAnswers } from "../voice/use-voice.ts";
import { StopSpeechButton } from "../voice/voice-controls.tsx";
import { useChannelTarget } from "./channel-target.ts";
import chatCss from "./chat.module.css";
import { ChatHeader } from "./chat-header.tsx";
import { ArchivedNotice, DeletedNotice } from "./chat-notices.tsx";
import { MessageList } from "./message-list.tsx";
import { useSpeaker } from "./speaker.tsx";
import { useDeleteOnLeave } from "./temporary.tsx";
import { ThreadSearch } from "./thread-search.tsx";
import { type LiveConversation, modelIdByTrace, useConversation } from "./use-conversation.ts";
import { useTargetMessage } from "./use-target-message.ts";

/** The service's filter notice where the operator has set none. */
const DEFAULT_FILTER_NOTICE = "message blocked by filter";
const NEAR_END_PX = 60;
/** Distance from the beginning at which older messages are loaded. */
const LOAD_OLDER_AT_PX = 300;

export function Chat({ sessionId }: { readonly sessionId: string }) {
  const { t } = useTexts();
  const talk = useConversation(sessionId);
  useSpokenAnswers(sessionId);
  const session = useQuery({
    queryKey: ["session", "one", sessionId],
    queryFn: () => parley.get("/api/sessions/{session_id}", { path: { session_id: sessionId } }),
  });
  useDeleteOnLeave(session.data);
  const isGone = session.error instanceof ApiError && session.error.code === "not_found";
  const isArchived = session.data?.archived === true;
  const place = useChannelTarget(session.data);
  const mayChat = useMay("chat");
  const speaker = useSpeaker(session.data);
  const lastReply = talk.messages.findLast(({ role }) => role === "assistant")?.id;
  // What is written somewhere must be known before anything can be said there.
  const isOpen = session.data !== undefined && !isGone && !isArchived && mayChat;
  const isTakenOver = session.data?.taken_over != null;
  const { handle: composer } = useComposer(sessionId, isOpen ? { talk, place, isTakenOver } : undefined);
  const reply = useCallback((message: Message) => composer.current?.reply(message), [composer]);
  const target = useTargetMessage(talk);
  const view = useThreadScroll(talk, target);
  const [isSearching, search] = useDisclosure(false);
  useHotkeys([["mod+F", search.open]], []);
  useMarkRead(sessionId, talk.messages.at(-1)?.timestamp);
  const leadOn = useNavigateIfHere();
  /** To the first message of a day, or the first after it; the beginning without one. */
  const goTo = async (day: string) => {
    const isThere = ({ timestamp }: Message) => timestamp < new Date(day).toISOString();
    const first = await talk.loadUntil(day === "" ? () => false : isThere);
    const messageToOpen = first.find((message) => day === "" || !isThere(message)) ?? first.at(-1);
    if (!messageToOpen) return;
    await leadOn(toSessionAddress(sessionId, messageToOpen.id));
  };
  if (session.isError && !session.data) {
    return (
      <div className={pageCss.page}>
        <h1 className={textCss.unseen}>{t("conversation")}</h1>
        <Failure error={session.error} />
        <Link to="/">{t("conversations")}</Link>
      </div>
    );
  }
  return (
    <div className={chatCss.chat}>
      <div>
        {session.data ? (
          <ChatHeader
            session={session.data}
            isGone={isGone}
            place={place}
            speaker={speaker}
            lastReply={lastReply}
            search={search.open}
            goTo={(day) => void goTo(day)}
            write={() => composer.current?.focus()}
          />
        ) : (
          <div className={chatCss.bar} />
        )}
        {isSearching && <ThreadSearch sessionId={sessionId} close={search.close} />}
      </div>
      <div className={chatCss.talkFrame}>
        <div
          className={chatCss.talk}
          ref={view.frame}
          onScroll={view.watch}
          role="log"
          aria-label={t("messages")}
          aria-live="polite"
          aria-busy={talk.isRunning}
          data-scrolls=""
          data-idle={!talk.isRunning && !isArchived}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
        >
          <div ref={view.content}>
            <OlderMessages talk={talk} load={view.loadOlder} />
            <MessageList
              talk={talk}
              place={place}
              speaker={speaker}
              target={target}
              onRestoreDraft={(one) => composer.current?.restore(one)}
              reply={reply}
            />
            <Notices talk={talk} />
          </div>
        </div>
        {!view.isAtEnd && (
          <Button
            className={chatCss.toEnd}
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="down" size={14} />}
            onClick={view.toEnd}
          >
            {t("toEnd")}
          </Button>
        )}
      </div>
      <div>
        <div className={chatCss.asked}>
          <ConfirmationRequests sessionId={sessionId} />
          <StopSpeechButton />
        </div>
        {!mayChat && (
          <Text p="md" ta="center" c="dimmed" size="sm" data-testid="look-only">
            {t("lookOnly")}
          </Text>
        )}
        {isGone ? <DeletedNotice sessionId={sessionId} /> : isArchived && <ArchivedNotice sessionId={sessionId} />}
      </div>
    </div>
  );
}

function OlderMessages({ talk, load }: { readonly talk: LiveConversation; readonly load: () => Promise<void> }) {
  const { t } = useTexts();
  const [isLoading, setLoading] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  const run = async () => {
    setLoading(true);
    await load();
    setLoading(false);
  };
  const latest = useRef(run);
  latest.current = run;
  const canLoad = talk.freshness === "fresh" && talk.hasOlder && !isLoading;
  // Reads on when somebody scrolls to the beginning; the button is for who has no wheel.
  useEffect(() => {
    const frame = top.current?.closest("[data-scrolls]");
    if (!frame || !canLoad) return;
    const watch = () => frame.scrollTop < LOAD_OLDER_AT_PX && void latest.current();
    const scrolled = (event: Event) => (event instanceof WheelEvent ? event.deltaY < 0 && watch() : watch());
    frame.addEventListener("wheel", scrolled, { passive: true });
    frame.addEventListener("touchmove", scrolled, { passive: true });
    frame.addEventListener("keyup", scrolled);
    return () => {
      frame.removeEventListener("wheel", scrolled);
      frame.removeEventListener("touchmove", scrolled);
      frame.removeEventListener("keyup", scrolled);
    };
  }, [canLoad]);
  if (talk.freshness === "new") return talk.error ? null : <Waiting />;
  if (!talk.hasOlder) return null;
  return (
    <Group justify="center" mb="md" ref={top}>
      <Button size="compact-sm" variant="subtle" onClick={run} loading={isLoading}>
        {t("older")}
      </Button>
    </Group>
  );
}

function Notices({ talk }: { readonly talk: LiveConversation }) {
  const { t } = useTexts();
  const { failure, messages, progress, notice, error, isRunning, partialReply } = talk;
  // Of what was asked again the question keeps the first trace.
  const question = messages.findLast(({ role }) => role === "user");
  const hasNotice =
    modelIdByTrace.has(failure?.traceId ?? "") ||
    question?.error?.error === failure?.error ||
    messages.some(({ trace_id, error: why }) => why !== null && trace_id === failure?.traceId);
  return (
    <div className={messageCss.message} role="status">
      {isRunning && !partialReply && (
        <div className={chatCss.thinking}>
          <span className={chatCss.dots} aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          <Text size="sm" c="dimmed">
            {progress || t("working")}
          </Text>
        </div>
      )}
      {partialReply && progress && (
        <Text size="sm" c="dimmed">
          {progress}
        </Text>
      )}
      {notice && (
        <Alert color="yellow" py="xs">
          {notice === DEFAULT_FILTER_NOTICE ? t("blockedNotice") : notice}
        </Alert>
      )}
      {failure && !hasNotice && (
        <Alert color="red" py="xs" role="alert">
          <UnansweredReason failure={failure} />
        </Alert>
      )}
      <Failure error={error}>
        {talk.freshness !== "fresh" && (
          <Button size="compact-sm" variant="light" mt="xs" onClick={talk.reload}>
            {t("retry")}
          </Button>
        )}
      </Failure>
    </div>
  );
}

/** Follows the end until the reader scrolls up, and keeps the scroll position when older messages load. */
function useThreadScroll(talk: LiveConversation, target: string | undefined) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const lastTop = useRef(0);
  const fromEnd = useRef<number>(undefined);
  const [isAtEnd, setAtEnd] = useState(true);
  const first = talk.messages[0]?.id;
  const pendingCount = talk.pending.length;
  const draft = useRef<{ readonly id: string; readonly top: number }>(undefined);
  /** Distance of a message's text from the beginning of the conversation. */
  const topOf = (id: string) => {
    const text = frame.current?.querySelector(`[data-message-id="${CSS.escape(id)}"] [data-words]`);
    if (!frame.current || !text) return undefined;
    return text.getBoundingClientRect().top - frame.current.getBoundingClientRect().top + frame.current.scrollTop;
  };

  const { partialReply } = talk;
  const measureDraft = () => {
    const top = !follows.current && partialReply ? topOf(partialReply.id) : undefined;
    draft.current = partialReply && top !== undefined ? { id: partialReply.id, top } : undefined;
  };
  const toEnd = () => {
    follows.current = true;
    frame.current?.scrollTo({ top: frame.current.scrollHeight });
  };
  // Content that grows moves the end away; only who scrolls up wants to stay.
  const watch = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = frame.current ?? {};
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    if (isNear) follows.current = true;
    else if (scrollTop < lastTop.current) follows.current = false;
    lastTop.current = scrollTop;
    measureDraft();
    setAtEnd(isNear || follows.current);
  };
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (follows.current) frame.current?.scrollTo({ top: frame.current.scrollHeight });
    });
    for (const part of [frame.current, content.current]) if (part) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  // Who looks for something wants to stay there.
  useLayoutEffect(() => {
    if (target !== undefined) follows.current = false;
  }, [target]);
  // Only when older messages have come.
  useLayoutEffect(() => {
    if (fromEnd.current === undefined || !frame.current) return;
    frame.current.scrollTop = frame.current.scrollHeight - fromEnd.current;
    fromEnd.current = undefined;
  }, [first]);
  // A draft gives way to what is stored: who reads in it goes on at the same words.
  useLayoutEffect(() => {
    const before = draft.current;
    measureDraft();
    if (!before || partialReply || follows.current || !frame.current) return;
    const offset = lastTop.current >= before.top ? (topOf(before.id) ?? before.top) - before.top : 0;
    frame.current.scrollTop = lastTop.current + offset;
  });
  // Who says something wants to see it.
  useEffect(() => {
    if (pendingCount > 0) toEnd();
  }, [pendingCount]);
  const loadOlder = async () => {
    const { scrollHeight = 0, scrollTop = 0 } = frame.current ?? {};
    fromEnd.current = scrollHeight - scrollTop;
    await talk.loadOlder();
  };
  return { frame, content, isAtEnd, watch, toEnd, loadOlder };
}
