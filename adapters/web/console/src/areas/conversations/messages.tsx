import { Button, Group, Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { useMay } from "../../shared/api/console.ts";
import type { Card } from "../../shared/live/cards.ts";
import type { Pending } from "../../shared/live/conversation.ts";
import { readAgain } from "../../shared/live/read-again.ts";
import { Failure } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { useLeadOn } from "../../shared/ui/use-lead-on.ts";
import { AgainWith } from "./again-with.tsx";
import { BlockedMark, useBlocked } from "./blocked-mark.tsx";
import { branchesOf, useBranchSteps } from "./branch-steps.tsx";
import { Cards } from "./cards.tsx";
import type { ChannelPlace } from "./channel-place.ts";
import { deleteSoon, sessionPath, useDoomed } from "./doomed.ts";
import { ExplainDialog } from "./explain.tsx";
import { FirstModel, FirstModelLine } from "./first-model.tsx";
import type { MessageDeeds } from "./message-actions.tsx";
import { MessageBlock } from "./message-block.tsx";
import { createGrouping } from "./message-groups.ts";
import { PendingItem } from "./pending-item.tsx";
import { SaidSoFar } from "./said-so-far.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { askedOfSeveral, SideBySide } from "./side-by-side.tsx";
import type { Speaker } from "./speaker.tsx";
import { useTexts } from "./texts.ts";
import { useUndelivered } from "./undelivered.tsx";
import { askedByTrace, type LiveConversation } from "./use-conversation.ts";
import { useKept } from "./use-kept.ts";
import { sayAloud, useVoiceMeans } from "./use-voice.ts";

const RATING = "/api/sessions/{session_id}/messages/{message_id}/rating";
const BRANCH = "/api/sessions/{session_id}/branches/{branch_id}";

interface MessagesProps {
  readonly talk: LiveConversation;
  /** Where the people of the conversation are; undefined in the console's own. */
  readonly place: ChannelPlace | undefined;
  /** The character that speaks here. */
  readonly speaker: Speaker | undefined;
  /** The message that was looked for. */
  readonly target: string | undefined;
  /** Takes what was said back into the composer. */
  readonly giveBack: (pending: Pending) => void;
  /** What is written next answers it. */
  readonly reply: (message: Message) => void;
}

/** Every message is drawn when it changes only, however many there are and however fast a reply streams. */
export function Messages({ talk, place, speaker, target, giveBack, reply }: MessagesProps) {
  const { t } = useTexts();
  const { streaming, pending, state, cards } = talk;
  const doomed = useDoomed();
  const messages = useMemo(() => talk.messages.filter(({ id }) => !doomed.has(id)), [talk.messages, doomed]);
  const { deeds, again, notAgain, other, notOther, asked, notAsked, shared, notShared, error } = useDeeds(
    talk,
    place,
    reply,
  );
  const takeBack = async (tempId: string) => {
    const taken = await talk.takeBack(tempId);
    if (taken) giveBack(taken);
  };
  const { beside, open } = useMemo(() => placed(cards, messages), [cards, messages]);
  const steps = useBranchSteps(talk);
  const group = useState(createGrouping)[0];
  const together = askedOfSeveral(messages);
  const question = together?.question;
  const inRows = useMemo(() => messages.filter((one) => !question || one.seq <= question.seq), [messages, question]);
  const groups = useMemo(() => group(inRows), [group, inRows]);
  const lastReply = messages.findLast(({ role }) => role === "assistant")?.id;
  const [first] = messages;
  const greeting = speaker !== undefined && first && isGreeting(messages, first) ? first.id : undefined;
  const blocked = useBlocked(talk.sessionId, messages, talk.hasOlder);
  const undelivered = useUndelivered(talk.sessionId, messages, place !== undefined);
  const isEmpty = !blocked.has("") && messages.length === 0 && pending.length === 0 && !streaming;
  return (
    <>
      {isEmpty && state === "fresh" && (
        <>
          <Empty icon="chat" title={t("noMessages")} isSmall />
          <FirstModel />
        </>
      )}
      <BlockedMark hits={blocked.get("")} />
      {groups.map((one, at) => {
        const has = (id: string | undefined) => (one.messages.some((message) => message.id === id) ? id : undefined);
        return (
          <MessageBlock
            key={one.key}
            group={one}
            isKept={at >= groups.length - KEPT}
            lastReply={has(lastReply)}
            lastMessage={has(messages.at(-1)?.id)}
            greeting={greeting}
            askedOfSeveral={has(question?.id)}
            target={has(target)}
            channelId={place?.id}
            speaker={speaker}
            steps={steps}
            cards={beside}
            blocked={blocked}
            undelivered={undelivered}
            deeds={deeds}
          />
        );
      })}
      <Cards cards={open} sessionId={talk.sessionId} />
      {together && <SideBySide {...together} talk={talk} deeds={deeds} />}
      {streaming && !(together && askedByTrace.has(streaming.traceId)) && (
        <SaidSoFar streaming={streaming} speaker={speaker} />
      )}
      {lastReply !== undefined && !place && !streaming && <FirstModelLine />}
      {pending.map((one) => (
        <PendingItem
          key={one.tempId}
          pending={one}
          isRunning={one.traceId === talk.running}
          again={talk.sayAgain}
          dismiss={talk.dismiss}
          takeBack={(tempId) => void takeBack(tempId)}
        />
      ))}
      <Failure error={error} />
      {shared && <ShareDialog sessionId={shared.session_id} upTo={shared.id} close={notShared} />}
      <ExplainDialog message={asked} speaker={speaker} close={notAsked} />
      <AgainWith asked={other} close={notOther} answer={(id, model) => void talk.regenerate(id, false, model)} />
      {place && <AgainDialog place={place} asked={again} close={notAgain} regenerate={talk.regenerate} />}
    </>
  );
}

/** So many blocks at the end are always drawn. */
const KEPT = 2;

/** Cards by the answer they stand under; `open`: those whose answer is not there yet, or never came. */
function placed(cards: readonly Card[], messages: readonly Message[]) {
  const ids = new Set(messages.map(({ id }) => id));
  const known = cards.filter(({ parentId }) => ids.has(parentId));
  return {
    beside: Map.groupBy(known, ({ parentId }) => parentId),
    open: cards.filter(({ parentId }) => !ids.has(parentId)),
  };
}

/** What messages can have done to them; stays the same object for as long as the list is there. */
function useDeeds(talk: LiveConversation, place: ChannelPlace | undefined, reply: MessagesProps["reply"]) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const leadOn = useLeadOn();
  const leading = useRef(leadOn);
  leading.current = leadOn;
  const kept = useKept(talk.sessionId);
  const [again, setAgain] = useState<Again>();
  const [asked, setAsked] = useState<Message>();
  const [other, setOther] = useState<Message>();
  const [shared, setShared] = useState<Message>();
  const [error, setError] = useState<unknown>();
  const isOutside = place !== undefined;
  const mayChange = useMay("chat");
  const canSpeak = useVoiceMeans()?.canSpeak === true;
  const latest = useRef(talk);
  latest.current = talk;
  const goBack = useGoBack(talk, setError);
  const deeds = useMemo<MessageDeeds>(() => {
    const fork = async ({ session_id, id: message_id }: Message) => {
      const lead = leading.current;
      const made = await parley.post("/api/sessions/{session_id}/fork", { path: { session_id }, body: { message_id } });
      await readAgain(queries, ["session"]);
      await lead({ to: "/sessions/$sessionId", params: { sessionId: made.id } });
    };
    return {
      mayChange,
      regenerate: (messageId) => latest.current.regenerate(messageId),
      goOn: () => void latest.current.goOn(),
      showBranch({ session_id }, branch_id) {
        setError(undefined);
        parley.post(`${BRANCH}/show`, { path: { session_id, branch_id } }).catch(setError);
      },
      branched: ({ id }) => toast({ text: t("branchMade"), undo: () => goBack(id) }),
      answerAgain(messageId) {
        if (isOutside && isFromOutside(latest.current.messages, messageId)) setAgain({ messageId });
        else void latest.current.regenerate(messageId);
      },
      answerWith: setOther,
      fork: (message) => {
        setError(undefined);
        fork(message).catch(setError);
      },
      reply,
      find: (id) => latest.current.messages.find((one) => one.id === id),
      share: setShared,
      remove: ({ id, session_id }) =>
        deleteSoon({
          ids: [id],
          paths: [`${sessionPath(session_id)}/messages/${encodeURIComponent(id)}`],
          within: session_id,
          text: t("messageDeleted"),
          failed: setError,
          ended: () => {},
        }),
      isKept: ({ id }) => kept.isKept(id),
      keep: (message) => {
        setError(undefined);
        kept.toggle(message).catch(setError);
      },
      rate: ({ id: message_id, session_id, rating: now }, rating) => {
        setError(undefined);
        const path = { session_id, message_id };
        parley.put(RATING, { path, body: { rating: now === rating ? null : rating } }).catch(setError);
      },
      hear: canSpeak
        ? ({ content }) => {
            setError(undefined);
            sayAloud(content).catch(setError);
          }
        : undefined,
      explain: setAsked,
    };
  }, [queries, isOutside, canSpeak, mayChange, goBack, kept, reply, t]);
  return {
    deeds,
    again,
    notAgain: () => setAgain(undefined),
    other,
    notOther: () => setOther(undefined),
    asked,
    notAsked: () => setAsked(undefined),
    shared,
    notShared: () => setShared(undefined),
    error,
  };
}

/** Shows again what began with a message; while it is answered anew, that ends first. */
function useGoBack(talk: LiveConversation, failed: (error: unknown) => void): (messageId: string) => void {
  const [wanted, setWanted] = useState<string>();
  const { sessionId, isRunning, stop } = talk;
  const halt = useRef(stop);
  halt.current = stop;
  useEffect(() => {
    if (wanted === undefined) return;
    if (isRunning) return void halt.current();
    setWanted(undefined);
    const show = async () => {
      const heads = (await branchesOf(sessionId)).flatMap(({ variants }) => variants);
      const branch_id = heads.find(({ message_id }) => message_id === wanted)?.branch_id;
      if (branch_id) await parley.post(`${BRANCH}/show`, { path: { session_id: sessionId, branch_id } });
    };
    show().catch(failed);
  }, [wanted, isRunning, sessionId, failed]);
  return setWanted;
}

/** Whether these are the opening words of the character, and nobody has answered them. */
function isGreeting(messages: readonly Message[], { id, role, trace_id, kind }: Message): boolean {
  const isFirst = messages[0]?.id === id && messages.length === 1;
  return isFirst && role === "assistant" && trace_id === null && kind === "normal";
}

/** Whether what is to be answered again may be answered to other people: what an operator asked alone may not. */
function isFromOutside(messages: readonly Message[], messageId: string | undefined): boolean {
  const at = messages.findIndex(({ id }) => id === messageId);
  const before = at === -1 ? messages : messages.slice(0, at);
  return before.findLast(({ role }) => role === "user")?.metadata.operator_only !== true;
}

interface Again {
  readonly messageId: string | undefined;
}
interface AgainDialogProps {
  readonly place: ChannelPlace;
  readonly asked: Again | undefined;
  readonly close: () => void;
  readonly regenerate: LiveConversation["regenerate"];
}

/** Where other people listen, an answer that is made anew is shown here, unless it is to be sent. */
function AgainDialog({ place, asked, close, regenerate }: AgainDialogProps) {
  const { t } = useTexts();
  const answer = (deliver: boolean) => () => {
    close();
    void regenerate(asked?.messageId, deliver);
  };
  return (
    <Dialog opened={asked !== undefined} onClose={close} title={t("regenerate")}>
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
