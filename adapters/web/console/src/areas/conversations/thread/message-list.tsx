import { Button, Group, Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { useHasScope } from "../../../shared/api/console.ts";
import type { Card } from "../../../shared/live/cards.ts";
import type { PendingMessage } from "../../../shared/live/conversation.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import { Failure } from "../../../shared/ui/common.tsx";
import { showToast } from "../../../shared/ui/feedback/toasts.tsx";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useNavigateIfHere } from "../../../shared/ui/page/use-navigate-if-here.ts";
import { findPressedItems, PressedItemsContext } from "../elements/pressed-items.ts";
import { ExplainDialog } from "../explain/explain-dialog.tsx";
import { FirstModelCard, FirstModelHint } from "../first-model.tsx";
import { Cards } from "../message/cards.tsx";
import type { MessageActionHandlers } from "../message/message-actions.tsx";
import { MessageBlock } from "../message/message-block.tsx";
import { createMessageGrouper } from "../message/message-groups.ts";
import { ShareDialog } from "../share/share-dialog.tsx";
import { useTexts } from "../texts.ts";
import { speak, useVoiceCapabilities } from "../voice/use-voice.ts";
import { fetchBranches, useBranchPositions } from "./branch-switcher.tsx";
import type { ChannelTarget } from "./channel-target.ts";
import { useDeliveryFailures } from "./delivery-failures.tsx";
import { FilterMark, useFilterMarks } from "./filter-marks.tsx";
import { findComparedQuestion, ModelComparison } from "./model-comparison.tsx";
import { PartialReplyItem } from "./partial-reply.tsx";
import { scheduleDeletion, usePendingDeletions } from "./pending-deletion.ts";
import { PendingMessageItem } from "./pending-message.tsx";
import { RegenerateWithModel } from "./regenerate-with-model.tsx";
import type { Speaker } from "./speaker.tsx";
import { type LiveConversation, modelIdByTrace } from "./use-conversation.ts";
import { useSavedMessages } from "./use-saved-messages.ts";

const RATING_PATH = "/api/sessions/{session_id}/messages/{message_id}/rating";
const BRANCH_PATH = "/api/sessions/{session_id}/branches/{branch_id}";

interface MessageListProps {
  readonly conversation: LiveConversation;
  readonly target: ChannelTarget | undefined;
  readonly speaker: Speaker | undefined;
  readonly targetId: string | undefined;
  /** Puts a pending message back into the composer. */
  readonly onRestoreDraft: (pending: PendingMessage) => void;
  readonly reply: (message: Message) => void;
}

/** The messages of a conversation in memoized blocks; a new message or card re-renders all of them. */
export function MessageList({ conversation, target, speaker, targetId, onRestoreDraft, reply }: MessageListProps) {
  const { t } = useTexts();
  const { messages: loaded, partialReply, pending, freshness, cards } = conversation;
  const hiddenIds = usePendingDeletions();
  const messages = useMemo(() => loaded.filter(({ id }) => !hiddenIds.has(id)), [loaded, hiddenIds]);
  const {
    handlers,
    regenerateRequest,
    closeRegenerate,
    otherModelRequest,
    closeOtherModel,
    messageToExplain,
    closeExplanation,
    shared,
    closeSharing,
    error,
  } = useMessageActions(conversation, target, reply);
  const withdraw = async (tempId: string) => {
    const withdrawn = await conversation.withdraw(tempId);
    if (withdrawn) onRestoreDraft(withdrawn);
  };
  const { cardsByReply, openCards } = useMemo(() => groupCardsByReply(cards, messages), [cards, messages]);
  const branchPositions = useBranchPositions(conversation);
  const groupMessages = useState(createMessageGrouper)[0];
  const comparison = findComparedQuestion(messages);
  const pressedItems = useMemo(() => findPressedItems(loaded), [loaded]);
  const question = comparison?.question;
  const listed = useMemo(() => messages.filter((one) => !question || one.seq <= question.seq), [messages, question]);
  const groups = useMemo(() => groupMessages(listed), [groupMessages, listed]);
  const lastReply = messages.findLast(({ role }) => role === "assistant")?.id;
  const [first] = messages;
  const greeting = speaker !== undefined && first && isGreeting(messages, first) ? first.id : undefined;
  const filterMarks = useFilterMarks(conversation.sessionId, messages, conversation.hasOlder);
  const deliveryFailures = useDeliveryFailures(conversation.sessionId, messages, target !== undefined);
  const isEmpty = !filterMarks.has("") && messages.length === 0 && pending.length === 0 && !partialReply;
  return (
    <>
      {isEmpty && freshness === "fresh" && (
        <>
          <Empty icon="chat" title={t("noMessages")} isSmall />
          <FirstModelCard />
        </>
      )}
      <FilterMark hits={filterMarks.get("")} />
      <PressedItemsContext value={pressedItems}>
        {groups.map((group, at) => {
          const ifInBlock = (id: string | undefined) =>
            group.messages.some((message) => message.id === id) ? id : undefined;
          return (
            <MessageBlock
              key={group.key}
              group={group}
              isAlwaysRendered={at >= groups.length - RENDERED_TAIL_BLOCKS}
              lastReplyId={ifInBlock(lastReply)}
              lastMessageId={ifInBlock(messages.at(-1)?.id)}
              greetingId={greeting}
              comparedQuestionId={ifInBlock(question?.id)}
              targetId={ifInBlock(targetId)}
              channelId={target?.id}
              speaker={speaker}
              branchPositions={branchPositions}
              cards={cardsByReply}
              filterMarks={filterMarks}
              deliveryFailures={deliveryFailures}
              handlers={handlers}
            />
          );
        })}
      </PressedItemsContext>
      <Cards cards={openCards} sessionId={conversation.sessionId} />
      {comparison && <ModelComparison {...comparison} conversation={conversation} handlers={handlers} />}
      {partialReply && !(comparison && modelIdByTrace.has(partialReply.traceId)) && (
        <PartialReplyItem reply={partialReply} speaker={speaker} />
      )}
      {lastReply !== undefined && !target && !partialReply && <FirstModelHint />}
      {pending.map((one) => (
        <PendingMessageItem
          key={one.tempId}
          pending={one}
          isRunning={one.traceId === conversation.runningTraceId}
          onRetry={conversation.resend}
          dismiss={conversation.dismiss}
          onWithdraw={(tempId) => void withdraw(tempId)}
        />
      ))}
      <Failure error={error} />
      {shared && <ShareDialog sessionId={shared.session_id} upTo={shared.id} close={closeSharing} />}
      <ExplainDialog message={messageToExplain} speaker={speaker} close={closeExplanation} />
      <RegenerateWithModel
        request={otherModelRequest}
        close={closeOtherModel}
        regenerate={(id, model) => void conversation.regenerate(id, false, model)}
      />
      {target && (
        <RegenerateDialog
          target={target}
          request={regenerateRequest}
          close={closeRegenerate}
          regenerate={conversation.regenerate}
        />
      )}
    </>
  );
}

/** Blocks at the end that are always rendered. */
const RENDERED_TAIL_BLOCKS = 2;

/** Groups cards by their reply; `openCards` has those whose reply does not exist (yet). */
function groupCardsByReply(cards: readonly Card[], messages: readonly Message[]) {
  const ids = new Set(messages.map(({ id }) => id));
  const answeredCards = cards.filter(({ parentId }) => ids.has(parentId));
  return {
    cardsByReply: Map.groupBy(answeredCards, ({ parentId }) => parentId),
    openCards: cards.filter(({ parentId }) => !ids.has(parentId)),
  };
}

/** Actions on messages; rebuilt when saved messages, permissions, `reply` or the language change. */
function useMessageActions(
  conversation: LiveConversation,
  target: ChannelTarget | undefined,
  reply: MessageListProps["reply"],
) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigateIfHere = useNavigateIfHere();
  const latestNavigate = useRef(navigateIfHere);
  latestNavigate.current = navigateIfHere;
  const savedMessages = useSavedMessages(conversation.sessionId);
  const [regenerateRequest, setRegenerateRequest] = useState<RegenerateRequest>();
  const [messageToExplain, setMessageToExplain] = useState<Message>();
  const [otherModelRequest, setOtherModelRequest] = useState<Message>();
  const [shared, setShared] = useState<Message>();
  const [error, setError] = useState<unknown>();
  const isChannel = target !== undefined;
  const canChange = useHasScope("chat");
  const canSpeak = useVoiceCapabilities()?.canSpeak === true;
  const latest = useRef(conversation);
  latest.current = conversation;
  const showBranchOf = useShowBranch(conversation, setError);
  const handlers = useMemo<MessageActionHandlers>(() => {
    const fork = async ({ session_id, id: message_id }: Message) => {
      const navigate = latestNavigate.current;
      const copy = await parley.post("/api/sessions/{session_id}/fork", { path: { session_id }, body: { message_id } });
      await refetch(queries, ["session"]);
      await navigate({ to: "/sessions/$sessionId", params: { sessionId: copy.id } });
    };
    return {
      canChange,
      regenerate: (messageId) => latest.current.regenerate(messageId),
      continueReply: () => void latest.current.continueReply(),
      showBranch({ session_id }, branch_id) {
        setError(undefined);
        parley.post(`${BRANCH_PATH}/show`, { path: { session_id, branch_id } }).catch(setError);
      },
      onBranched: ({ id }) => showToast({ text: t("branchCreated"), undo: () => showBranchOf(id) }),
      requestRegenerate(messageId) {
        if (isChannel && canReachOutside(latest.current.messages, messageId)) setRegenerateRequest({ messageId });
        else void latest.current.regenerate(messageId);
      },
      requestOtherModel: setOtherModelRequest,
      fork: (message) => {
        setError(undefined);
        fork(message).catch(setError);
      },
      reply,
      findMessage: (id) => latest.current.messages.find((one) => one.id === id),
      share: setShared,
      remove: ({ id, session_id }) =>
        scheduleDeletion({
          ids: [id],
          sessionId: session_id,
          text: t("messageDeleted"),
          onError: setError,
          onEnded: () => {},
        }),
      isSaved: ({ id }) => savedMessages.isSaved(id),
      toggleSaved: (message) => {
        setError(undefined);
        savedMessages.toggle(message).catch(setError);
      },
      rate: ({ id: message_id, session_id, rating: now }, rating) => {
        setError(undefined);
        const path = { session_id, message_id };
        parley.put(RATING_PATH, { path, body: { rating: now === rating ? null : rating } }).catch(setError);
      },
      playSpeech: canSpeak
        ? ({ content }) => {
            setError(undefined);
            speak(content).catch(setError);
          }
        : undefined,
      explain: setMessageToExplain,
    };
  }, [queries, isChannel, canSpeak, canChange, showBranchOf, savedMessages, reply, t]);
  return {
    handlers,
    regenerateRequest,
    closeRegenerate: () => setRegenerateRequest(undefined),
    otherModelRequest,
    closeOtherModel: () => setOtherModelRequest(undefined),
    messageToExplain,
    closeExplanation: () => setMessageToExplain(undefined),
    shared,
    closeSharing: () => setShared(undefined),
    error,
  };
}

/** Shows the branch of a message; a running regeneration is stopped first. */
function useShowBranch(conversation: LiveConversation, onError: (error: unknown) => void): (messageId: string) => void {
  const [targetMessageId, setTargetMessageId] = useState<string>();
  const { sessionId, isRunning, stop } = conversation;
  const latestStop = useRef(stop);
  latestStop.current = stop;
  useEffect(() => {
    if (targetMessageId === undefined) return;
    if (isRunning) return void latestStop.current();
    setTargetMessageId(undefined);
    const show = async () => {
      const variants = (await fetchBranches(sessionId)).flatMap(({ variants }) => variants);
      const branch_id = variants.find(({ message_id }) => message_id === targetMessageId)?.branch_id;
      if (branch_id) await parley.post(`${BRANCH_PATH}/show`, { path: { session_id: sessionId, branch_id } });
    };
    show().catch(onError);
  }, [targetMessageId, isRunning, sessionId, onError]);
  return setTargetMessageId;
}

/** True for a greeting that nobody has replied to yet. */
function isGreeting(messages: readonly Message[], { id, role, trace_id, kind }: Message): boolean {
  const isFirst = messages[0]?.id === id && messages.length === 1;
  return isFirst && role === "assistant" && trace_id === null && kind === "normal";
}

/** True when the regenerated reply may be delivered to the channel: not for a question that an operator asked privately. */
function canReachOutside(messages: readonly Message[], messageId: string | undefined): boolean {
  const at = messages.findIndex(({ id }) => id === messageId);
  const before = at === -1 ? messages : messages.slice(0, at);
  return before.findLast(({ role }) => role === "user")?.metadata.operator_only !== true;
}

interface RegenerateRequest {
  readonly messageId: string | undefined;
}
interface RegenerateDialogProps {
  readonly target: ChannelTarget;
  readonly request: RegenerateRequest | undefined;
  readonly close: () => void;
  readonly regenerate: LiveConversation["regenerate"];
}

/** Asks, in a channel conversation, whether the regenerated reply is shown only here or also sent. */
function RegenerateDialog({ target, request, close, regenerate }: RegenerateDialogProps) {
  const { t } = useTexts();
  const onConfirm = (deliver: boolean) => () => {
    close();
    void regenerate(request?.messageId, deliver);
  };
  return (
    <Dialog opened={request !== undefined} onClose={close} title={t("regenerate")}>
      <Text size="sm">{t("regenerateHint")}</Text>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={close}>
          {t("cancel")}
        </Button>
        <Button variant="default" onClick={onConfirm(true)} data-testid="answer-and-send">
          {t("answerAndSend", { name: target.name })}
        </Button>
        <Button onClick={onConfirm(false)} data-autofocus data-testid="answer-here">
          {t("answerHere")}
        </Button>
      </Group>
    </Dialog>
  );
}
