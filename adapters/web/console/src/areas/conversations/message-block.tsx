import type { Message, ToldFailure } from "@parley/core";
import { Fragment, memo } from "react";
import type { Card } from "../../shared/live/cards.ts";
import { Block } from "../../shared/ui/blocks.tsx";
import { dayOf } from "../../shared/ui/common.tsx";
import { BlockedMark, type BlockedMarks } from "./blocked-mark.tsx";
import type { Steps } from "./branch-steps.tsx";
import { Cards } from "./cards.tsx";
import messageCss from "./message.module.css";
import { MessageItem } from "./message.tsx";
import type { MessageDeeds } from "./message-actions.tsx";
import type { MessageGroup } from "./message-groups.ts";
import type { Speaker } from "./speaker.tsx";
import { useTexts } from "./texts.ts";
import { type Undelivered, UndeliveredMark } from "./undelivered.tsx";

interface MessageBlockProps {
  readonly group: MessageGroup;
  readonly isKept: boolean;
  /** The last reply of the conversation, where it is in here. */
  readonly lastReply: string | undefined;
  /** The last message of the conversation, where it is in here. */
  readonly lastMessage: string | undefined;
  readonly greeting: string | undefined;
  /** The question that several models were asked, where it is in here: each of their columns says why it has no answer. */
  readonly askedOfSeveral: string | undefined;
  /** The message that was looked for, where it is in here. */
  readonly target: string | undefined;
  readonly channelId: string | undefined;
  readonly speaker: Speaker | undefined;
  readonly steps: ReadonlyMap<string, Steps>;
  readonly cards: ReadonlyMap<string, readonly Card[]>;
  readonly blocked: BlockedMarks;
  readonly undelivered: Undelivered;
  readonly deeds: MessageDeeds;
}

/** How high a message is, as a guess. */
const HEIGHT = 110;
const NONE: readonly Card[] = [];

/** Drawn again only when something in it changes, and only while it is near the screen. */
export const MessageBlock = memo(function MessageBlock(props: MessageBlockProps) {
  const { group, isKept, lastReply, lastMessage, greeting, target, channelId, speaker, steps, cards, blocked } = props;
  const { askedOfSeveral, undelivered, deeds } = props;
  return (
    <Block estimate={group.messages.length * HEIGHT} isKept={isKept || target !== undefined}>
      {() =>
        group.messages.map((message, at) => (
          <Fragment key={message.id}>
            {group.newDays.has(message.id) && <Day at={message.timestamp} />}
            <MessageItem
              message={message}
              isLastReply={message.id === lastReply}
              isLast={message.id === lastMessage}
              isToldBelow={message.id === askedOfSeveral || isToldBy(group.messages[at + 1], message)}
              notAgain={message.id === lastMessage ? failureBefore(message, group.messages[at - 1]) : undefined}
              isFound={message.id === target}
              channelId={channelId}
              speaker={speaker}
              isGreeting={message.id === greeting}
              steps={steps.get(message.id)}
              deeds={deeds}
            />
            <UndeliveredMark deliveries={undelivered.get(message.id)} />
            <Cards cards={cards.get(message.id) ?? NONE} sessionId={message.session_id} />
            <BlockedMark hits={blocked.get(message.id)} />
          </Fragment>
        ))
      }
    </Block>
  );
});

/** A reply that broke off, or could not be made anew, says itself why; of several models that were asked, one answered. */
function isToldBy(next: Message | undefined, { id, metadata }: Message): boolean {
  if (next?.role !== "assistant") return false;
  return next.error !== null || next.reply_to === id || Array.isArray(metadata.asked_models);
}

/** Why the answer to a question could not be made anew: it is still there. */
function failureBefore({ reply_to, error }: Message, question: Message | undefined): ToldFailure | undefined {
  if (!question?.error || error !== null || reply_to !== question.id) return undefined;
  return Array.isArray(question.metadata.asked_models) ? undefined : question.error;
}

function Day({ at }: { readonly at: Message["timestamp"] }) {
  const { language } = useTexts();
  return (
    <div className={messageCss.day} data-testid="day">
      <time dateTime={at.slice(0, 10)}>{dayOf(at, language)}</time>
    </div>
  );
}
