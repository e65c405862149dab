import { Alert, Button, Group, Text } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { ApiError, parley } from "../../../shared/api/client.ts";
import { useHasScope } from "../../../shared/api/console.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Failure, LoadingIndicator } from "../../../shared/ui/common.tsx";
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
import { usePlaySpokenReplies } from "../voice/use-voice.ts";
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

/** The default filter notice of the service, shown translated. */
const DEFAULT_FILTER_NOTICE = "message blocked by filter";
const NEAR_END_PX = 60;
/** Distance from the beginning at which older messages are loaded. */
const LOAD_OLDER_AT_PX = 300;

export function Chat({ sessionId }: { readonly sessionId: string }) {
  const { t } = useTexts();
  const conversation = useConversation(sessionId);
  usePlaySpokenReplies(sessionId);
  const session = useQuery({
    queryKey: ["session", "one", sessionId],
    queryFn: () => parley.get("/api/sessions/{session_id}", { path: { session_id: sessionId } }),
  });
  useDeleteOnLeave(session.data);
  const isDeleted = session.error instanceof ApiError && session.error.code === "not_found";
  const isArchived = session.data?.archived === true;
  const target = useChannelTarget(session.data);
  const canChat = useHasScope("chat");
  const speaker = useSpeaker(session.data);
  const lastReply = conversation.messages.findLast(({ role }) => role === "assistant")?.id;
  // The composer waits for the session, because its channel decides where a message goes.
  const isOpen = session.data !== undefined && !isDeleted && !isArchived && canChat;
  const isTakenOver = session.data?.taken_over != null;
  const { handle: composer } = useComposer(sessionId, isOpen ? { conversation, target, isTakenOver } : undefined);
  const reply = useCallback((message: Message) => composer.current?.reply(message), [composer]);
  const targetId = useTargetMessage(conversation);
  const scroll = useThreadScroll(conversation, targetId);
  const [isSearching, searchPanel] = useDisclosure(false);
  useHotkeys([["mod+F", searchPanel.open]], []);
  useMarkRead(sessionId, conversation.messages.at(-1)?.timestamp);
  const navigateIfHere = useNavigateIfHere();
  /** Opens the first message since a time, else the last one; the very first for an empty text. */
  const goToDay = async (day: string) => {
    const isBeforeDay = ({ timestamp }: Message) => timestamp < new Date(day).toISOString();
    const loadedMessages = await conversation.loadUntil(day === "" ? () => false : isBeforeDay);
    const messageToOpen =
      loadedMessages.find((message) => day === "" || !isBeforeDay(message)) ?? loadedMessages.at(-1);
    if (!messageToOpen) return;
    await navigateIfHere(toSessionAddress(sessionId, messageToOpen.id));
  };
  if (session.isError && !session.data) {
    return (
      <div className={pageCss.page}>
        <h1 className={textCss.visuallyHidden}>{t("conversation")}</h1>
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
            isDeleted={isDeleted}
            target={target}
            speaker={speaker}
            replyId={lastReply}
            search={searchPanel.open}
            goToDay={(day) => void goToDay(day)}
            focusComposer={() => composer.current?.focus()}
          />
        ) : (
          <div className={chatCss.bar} />
        )}
        {isSearching && <ThreadSearch sessionId={sessionId} close={searchPanel.close} />}
      </div>
      <div className={chatCss.messageLogFrame}>
        <div
          className={chatCss.messageLog}
          ref={scroll.frame}
          onScroll={scroll.onScroll}
          role="log"
          aria-label={t("messages")}
          aria-live="polite"
          aria-busy={conversation.isRunning}
          data-scrolls=""
          data-idle={!conversation.isRunning && !isArchived}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
        >
          <div ref={scroll.content}>
            <OlderMessages conversation={conversation} load={scroll.loadOlder} />
            <MessageList
              conversation={conversation}
              target={target}
              speaker={speaker}
              targetId={targetId}
              onRestoreDraft={(one) => composer.current?.restore(one)}
              reply={reply}
            />
            <Notices conversation={conversation} />
          </div>
        </div>
        {!scroll.isAtEnd && (
          <Button
            className={chatCss.toEnd}
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="down" size={14} />}
            onClick={scroll.scrollToEnd}
          >
            {t("jumpToLatest")}
          </Button>
        )}
      </div>
      <div>
        <div className={chatCss.aboveComposer}>
          <ConfirmationRequests sessionId={sessionId} />
          <StopSpeechButton />
        </div>
        {!canChat && (
          <Text p="md" ta="center" c="dimmed" size="sm" data-testid="read-only-notice">
            {t("readOnly")}
          </Text>
        )}
        {isDeleted ? <DeletedNotice sessionId={sessionId} /> : isArchived && <ArchivedNotice sessionId={sessionId} />}
      </div>
    </div>
  );
}

function OlderMessages({
  conversation,
  load,
}: {
  readonly conversation: LiveConversation;
  readonly load: () => Promise<void>;
}) {
  const { t } = useTexts();
  const [isLoading, setLoading] = useState(false);
  const top = useRef<HTMLDivElement>(null);
  const loadOlder = async () => {
    setLoading(true);
    await load();
    setLoading(false);
  };
  const latest = useRef(loadOlder);
  latest.current = loadOlder;
  const canLoad = conversation.freshness === "fresh" && conversation.hasOlder && !isLoading;
  // Scrolling near the beginning loads older messages; the button is for users without a wheel or touch screen.
  useEffect(() => {
    const frame = top.current?.closest("[data-scrolls]");
    if (!frame || !canLoad) return;
    const loadNearTop = () => frame.scrollTop < LOAD_OLDER_AT_PX && void latest.current();
    const onScroll = (event: Event) =>
      event instanceof WheelEvent ? event.deltaY < 0 && loadNearTop() : loadNearTop();
    frame.addEventListener("wheel", onScroll, { passive: true });
    frame.addEventListener("touchmove", onScroll, { passive: true });
    frame.addEventListener("keyup", onScroll);
    return () => {
      frame.removeEventListener("wheel", onScroll);
      frame.removeEventListener("touchmove", onScroll);
      frame.removeEventListener("keyup", onScroll);
    };
  }, [canLoad]);
  if (conversation.freshness === "new") return conversation.error ? null : <LoadingIndicator />;
  if (!conversation.hasOlder) return null;
  return (
    <Group justify="center" mb="md" ref={top}>
      <Button size="compact-sm" variant="subtle" onClick={loadOlder} loading={isLoading}>
        {t("older")}
      </Button>
    </Group>
  );
}

function Notices({ conversation }: { readonly conversation: LiveConversation }) {
  const { t } = useTexts();
  const { failure, messages, progress, notice, error, isRunning, partialReply } = conversation;
  // A failed regeneration is stored on the question, whose trace is that of the first attempt.
  const question = messages.findLast(({ role }) => role === "user");
  const isShownByMessage =
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
      {failure && !isShownByMessage && (
        <Alert color="red" py="xs" role="alert">
          <UnansweredReason failure={failure} />
        </Alert>
      )}
      <Failure error={error}>
        {conversation.freshness !== "fresh" && (
          <Button size="compact-sm" variant="light" mt="xs" onClick={conversation.reload}>
            {t("retry")}
          </Button>
        )}
      </Failure>
    </div>
  );
}

/** Follows the end until the reader scrolls up, and keeps the scroll position when older messages load. */
function useThreadScroll(conversation: LiveConversation, targetId: string | undefined) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const lastTop = useRef(0);
  const distanceFromEnd = useRef<number>(undefined);
  const [isAtEnd, setAtEnd] = useState(true);
  const first = conversation.messages[0]?.id;
  const pendingCount = conversation.pending.length;
  const partialReplyTop = useRef<{ readonly id: string; readonly top: number }>(undefined);
  /** Returns the distance of a message's text from the beginning of the conversation. */
  const getTop = (id: string) => {
    const text = frame.current?.querySelector(`[data-message-id="${CSS.escape(id)}"] [data-words]`);
    if (!frame.current || !text) return undefined;
    return text.getBoundingClientRect().top - frame.current.getBoundingClientRect().top + frame.current.scrollTop;
  };

  const { partialReply } = conversation;
  const measurePartialReply = () => {
    const top = !isFollowing.current && partialReply ? getTop(partialReply.id) : undefined;
    partialReplyTop.current = partialReply && top !== undefined ? { id: partialReply.id, top } : undefined;
  };
  const scrollToEnd = () => {
    isFollowing.current = true;
    frame.current?.scrollTo({ top: frame.current.scrollHeight });
  };
  // Growing content moves the end away from the scroll position; only scrolling up stops following it.
  const onScroll = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = frame.current ?? {};
    const isNear = scrollHeight - scrollTop - clientHeight < NEAR_END_PX;
    if (isNear) isFollowing.current = true;
    else if (scrollTop < lastTop.current) isFollowing.current = false;
    lastTop.current = scrollTop;
    measurePartialReply();
    setAtEnd(isNear || isFollowing.current);
  };
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) frame.current?.scrollTo({ top: frame.current.scrollHeight });
    });
    for (const part of [frame.current, content.current]) if (part) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  // A reader who opened a certain message stays there.
  useLayoutEffect(() => {
    if (targetId !== undefined) isFollowing.current = false;
  }, [targetId]);
  // Older messages were added at the top: keeps the distance to the end.
  useLayoutEffect(() => {
    if (distanceFromEnd.current === undefined || !frame.current) return;
    frame.current.scrollTop = frame.current.scrollHeight - distanceFromEnd.current;
    distanceFromEnd.current = undefined;
  }, [first]);
  // The stored reply replaces the streamed one: a reader in the middle of it stays at the same words.
  useLayoutEffect(() => {
    const before = partialReplyTop.current;
    measurePartialReply();
    if (!before || partialReply || isFollowing.current || !frame.current) return;
    const offset = lastTop.current >= before.top ? (getTop(before.id) ?? before.top) - before.top : 0;
    frame.current.scrollTop = lastTop.current + offset;
  });
  // A sent message scrolls into view.
  useEffect(() => {
    if (pendingCount > 0) scrollToEnd();
  }, [pendingCount]);
  const loadOlder = async () => {
    const { scrollHeight = 0, scrollTop = 0 } = frame.current ?? {};
    distanceFromEnd.current = scrollHeight - scrollTop;
    await conversation.loadOlder();
  };
  return { frame, content, isAtEnd, onScroll, scrollToEnd, loadOlder };
}
