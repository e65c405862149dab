import { Button, Group, Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { parley } from "../../../shared/api/client.ts";
import { useMay } from "../../../shared/api/console.ts";
import type { Card } from "../../../shared/live/cards.ts";
import type { PendingMessage } from "../../../shared/live/conversation.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import { Failure } from "../../../shared/ui/common.tsx";
import { toast } from "../../../shared/ui/feedback/toasts.tsx";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useNavigateIfHere } from "../../../shared/ui/page/use-navigate-if-here.ts";
import { ExplainDialog } from "../explain/explain-dialog.tsx";
import { FirstModelHint, FirstModelPrompt } from "../first-model-prompt.tsx";
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
  readonly talk: LiveConversation;
  /** The channel and chat of the conversation; undefined for one of the console. */
  readonly place: ChannelTarget | undefined;
  /** The character that speaks here. */
  readonly speaker: Speaker | undefined;
  /** Id of the message to scroll to. */
  readonly target: string | undefined;
  /** Puts a pending message back into the composer. */
  readonly onRestoreDraft: (pending: PendingMessage) => void;
  /** Makes the next message a reply to this one. */
  readonly reply: (message: Message) => void;
}

/** Every message is drawn when it changes only, however many there are and however fast a reply streams. */
export function MessageList({ talk, place, speaker, target, onRestoreDraft, reply }: MessageListProps) {
  const { t } = useTexts();
  const { partialReply, pending, freshness: state, cards } = talk;
  const hiddenIds = usePendingDeletions();
  const messages = useMemo(() => talk.messages.filter(({ id }) => !hiddenIds.has(id)), [talk.messages, hiddenIds]);
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
  } = useMessageActions(talk, place, reply);
  const takeBack = async (tempId: string) => {
    const withdrawn = await talk.withdraw(tempId);
    if (withdrawn) onRestoreDraft(withdrawn);
  };
  const { beside, open } = useMemo(() => groupCardsByReply(cards, messages), [cards, messages]);
  const steps = useBranchPositions(talk);
  const group = useState(createMessageGrouper)[0];
  const together = findComparedQuestion(messages);
  const question = together?.question;
  const inRows = useMemo(() => messages.filter((one) => !question || one.seq <= question.seq), [messages, question]);
  const groups = useMemo(() => group(inRows), [group, inRows]);
  const lastReply = messages.findLast(({ role }) => role === "assistant")?.id;
  const [first] = messages;
  const greeting = speaker !== undefined && first && isGreeting(messages, first) ? first.id : undefined;
  const blocked = useFilterMarks(talk.sessionId, messages, talk.hasOlder);
  const undelivered = useDeliveryFailures(talk.sessionId, messages, place !== undefined);
  const isEmpty = !blocked.has("") && messages.length === 0 && pending.length === 0 && !partialReply;
  return (
    <>
      {isEmpty && state === "fresh" && (
        <>
          <Empty icon="chat" title={t("noMessages")} isSmall />
          <FirstModelPrompt />
        </>
      )}
      <FilterMark hits={blocked.get("")} />
      {groups.map((one, at) => {
        const has = (id: string | undefined) => (one.messages.some((message) => message.id === id) ? id : undefined);
        return (
          <MessageBlock
            key={one.key}
            group={one}
            isAlwaysRendered={at >= groups.length - RENDERED_TAIL_BLOCKS}
            lastReply={has(lastReply)}
            lastMessage={has(messages.at(-1)?.id)}
            greeting={greeting}
            comparedQuestionId={has(question?.id)}
            target={has(target)}
            channelId={place?.id}
            speaker={speaker}
            branchPositions={steps}
            cards={beside}
            filterMarks={blocked}
            deliveryFailures={undelivered}
            handlers={handlers}
          />
        );
      })}
      <Cards cards={open} sessionId={talk.sessionId} />
      {together && <ModelComparison {...together} talk={talk} handlers={handlers} />}
      {partialReply && !(together && modelIdByTrace.has(partialReply.traceId)) && (
        <PartialReplyItem streaming={partialReply} speaker={speaker} />
      )}
      {lastReply !== undefined && !place && !partialReply && <FirstModelHint />}
      {pending.map((one) => (
        <PendingMessageItem
          key={one.tempId}
          pending={one}
          isRunning={one.traceId === talk.runningTraceId}
          onRetry={talk.resend}
          dismiss={talk.dismiss}
          onWithdraw={(tempId) => void takeBack(tempId)}
        />
      ))}
      <Failure error={error} />
      {shared && <ShareDialog sessionId={shared.session_id} upTo={shared.id} close={closeSharing} />}
      <ExplainDialog message={messageToExplain} speaker={speaker} close={closeExplanation} />
      <RegenerateWithModel
        request={otherModelRequest}
        close={closeOtherModel}
        answer={(id, model) => void talk.regenerate(id, false, model)}
      />
      {place && (
        <RegenerateDialog
          place={place}
          request={regenerateRequest}
          close={closeRegenerate}
          regenerate={talk.regenerate}
        />
      )}
    </>
  );
}

/** Blocks at the end that are always rendered. */
const RENDERED_TAIL_BLOCKS = 2;

/** Groups cards by their reply; `open` has those whose reply does not exist (yet). */
function groupCardsByReply(cards: readonly Card[], messages: readonly Message[]) {
  const ids = new Set(messages.map(({ id }) => id));
  const answeredCards = cards.filter(({ parentId }) => ids.has(parentId));
  return {
    beside: Map.groupBy(answeredCards, ({ parentId }) => parentId),
    open: cards.filter(({ parentId }) => !ids.has(parentId)),
  };
}

/** Actions on messages; one stable object while the list is mounted. */
function useMessageActions(talk: LiveConversation, place: ChannelTarget | undefined, reply: MessageListProps["reply"]) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const leadOn = useNavigateIfHere();
  const leading = useRef(leadOn);
  leading.current = leadOn;
  const savedMessages = useSavedMessages(talk.sessionId);
  const [regenerateRequest, setRegenerateRequest] = useState<RegenerateRequest>();
  const [messageToExplain, setMessageToExplain] = useState<Message>();
  const [other, setOther] = useState<Message>();
  const [shared, setShared] = useState<Message>();
  const [error, setError] = useState<unknown>();
  const isOutside = place !== undefined;
  const mayChange = useMay("chat");
  const canSpeak = useVoiceCapabilities()?.canSpeak === true;
  const latest = useRef(talk);
  latest.current = talk;
  const goBack = useShowBranch(talk, setError);
  const handlers = useMemo<MessageActionHandlers>(() => {
    const fork = async ({ session_id, id: message_id }: Message) => {
      const lead = leading.current;
      const made = await parley.post("/api/sessions/{session_id}/fork", { path: { session_id }, body: { message_id } });
      await refetch(queries, ["session"]);
      await lead({ to: "/sessions/$sessionId", params: { sessionId: made.id } });
    };
    return {
      mayChange,
      regenerate: (messageId) => latest.current.regenerate(messageId),
      continueReply: () => void latest.current.continueReply(),
      showBranch({ session_id }, branch_id) {
        setError(undefined);
        parley.post(`${BRANCH_PATH}/show`, { path: { session_id, branch_id } }).catch(setError);
      },
      onBranched: ({ id }) => toast({ text: t("branchMade"), undo: () => goBack(id) }),
      answerAgain(messageId) {
        if (isOutside && canReachOutside(latest.current.messages, messageId)) setRegenerateRequest({ messageId });
        else void latest.current.regenerate(messageId);
      },
      answerWith: setOther,
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
  }, [queries, isOutside, canSpeak, mayChange, goBack, savedMessages, reply, t]);
  return {
    handlers,
    regenerateRequest,
    closeRegenerate: () => setRegenerateRequest(undefined),
    otherModelRequest: other,
    closeOtherModel: () => setOther(undefined),
    messageToExplain,
    closeExplanation: () => setMessageToExplain(undefined),
    shared,
    closeSharing: () => setShared(undefined),
    error,
  };
}

/** Shows the branch of a message; a running regeneration is stopped first. */
function useShowBranch(talk: LiveConversation, onError: (error: unknown) => void): (messageId: string) => void {
  const [targetMessageId, setTargetMessageId] = useState<string>();
  const { sessionId, isRunning, stop } = talk;
  const halt = useRef(stop);
  halt.current = stop;
  useEffect(() => {
    if (targetMessageId === undefined) return;
    if (isRunning) return void halt.current();
    setTargetMessageId(undefined);
    const show = async () => {
      const heads = (await fetchBranches(sessionId)).flatMap(({ variants }) => variants);
      const branch_id = heads.find(({ message_id }) => message_id === targetMessageId)?.branch_id;
      if (branch_id) await parley.post(`${BRANCH_PATH}/show`, { path: { session_id: sessionId, branch_id } });
    };
    show().catch(onError);
  }, [targetMessageId, isRunning, sessionId, onError]);
  return setTargetMessageId;
}

/** True for the greeting of a character that has no reply yet. */
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
  readonly place: ChannelTarget;
  readonly request: RegenerateRequest | undefined;
  readonly close: () => void;
  readonly regenerate: LiveConversation["regenerate"];
}

/** Asks, in a channel conversation, whether the regenerated reply is shown only here or also sent. */
function RegenerateDialog({ place, request, close, regenerate }: RegenerateDialogProps) {
  const { t } = useTexts();
  const answer = (deliver: boolean) => () => {
    close();
    void regenerate(request?.messageId, deliver);
  };
  return (
    <Dialog opened={request !== undefined} onClose={close} title={t("regenerate")}>
      <Text size="sm">{t("answerAgainHint")}</Text>
      <Group justify="flex-end" mt="md" gap="xs">
        <Button variant="default" onClick={close}>
          {t("cancel")}
        </Button>
        <Button variant="default" onClick={answer(true)} data-testid="answer-and-send">
          {t("answerAndSend", { name: place.name })}
        </Button>
        <Button onClick={answer(false)} data-autofocus data-testid="answer-here">
          {t("answerHere")}
        </Button>
      </Group>
    </Dialog>
  );
}
