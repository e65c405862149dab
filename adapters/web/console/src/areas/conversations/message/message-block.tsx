import type { LocalizedError, Message } from "@parley/core";
import { Fragment, memo } from "react";
import type { Card } from "../../../shared/live/cards.ts";
import { formatDay } from "../../../shared/ui/common.tsx";
import { VirtualBlock } from "../../../shared/ui/table/virtual-blocks.tsx";
import { useTexts } from "../texts.ts";
import type { BranchPosition } from "../thread/branch-switcher.tsx";
import { DeliveryFailureNotice, type DeliveryFailures } from "../thread/delivery-failures.tsx";
import { FilterMark, type FilterMarks } from "../thread/filter-marks.tsx";
import type { Speaker } from "../thread/speaker.tsx";
import { Cards } from "./cards.tsx";
import messageCss from "./message.module.css";
import { MessageItem } from "./message.tsx";
import type { MessageActionHandlers } from "./message-actions.tsx";
import type { MessageGroup } from "./message-groups.ts";

interface MessageBlockProps {
  readonly group: MessageGroup;
  readonly isAlwaysRendered: boolean;
  /** Id of the last reply of the conversation, if it is in this block. */
  readonly lastReplyId: string | undefined;
  /** Id of the last message of the conversation, if it is in this block. */
  readonly lastMessageId: string | undefined;
  readonly greetingId: string | undefined;
  /** Id of the question to several models, if it is in this block; its columns show the errors. */
  readonly comparedQuestionId: string | undefined;
  /** Id of the message to scroll to, if it is in this block. */
  readonly targetId: string | undefined;
  readonly channelId: string | undefined;
  readonly speaker: Speaker | undefined;
  readonly branchPositions: ReadonlyMap<string, BranchPosition>;
  readonly cards: ReadonlyMap<string, readonly Card[]>;
  readonly filterMarks: FilterMarks;
  readonly deliveryFailures: DeliveryFailures;
  readonly handlers: MessageActionHandlers;
}

const ESTIMATED_HEIGHT_PX = 110;
const NO_CARDS: readonly Card[] = [];

/** A block of messages with their day dividers, cards and marks; rendered only near the screen. */
export const MessageBlock = memo(function MessageBlock(props: MessageBlockProps) {
  const {
    group,
    isAlwaysRendered,
    lastReplyId,
    lastMessageId,
    greetingId,
    targetId,
    channelId,
    speaker,
    branchPositions,
    cards,
    filterMarks,
  } = props;
  const { comparedQuestionId, deliveryFailures, handlers } = props;
  return (
    <VirtualBlock
      estimate={group.messages.length * ESTIMATED_HEIGHT_PX}
      isAlwaysRendered={isAlwaysRendered || targetId !== undefined}
    >
      {() =>
        group.messages.map((message, at) => (
          <Fragment key={message.id}>
            {group.dayStartIds.has(message.id) && <DayDivider at={message.timestamp} />}
            <MessageItem
              message={message}
              isLastReply={message.id === lastReplyId}
              isLast={message.id === lastMessageId}
              isExplainedBelow={
                message.id === comparedQuestionId || isExplainedByReply(group.messages[at + 1], message)
              }
              regenerateError={
                message.id === lastMessageId ? findRegenerateError(message, group.messages[at - 1]) : undefined
              }
              isTarget={message.id === targetId}
              channelId={channelId}
              speaker={speaker}
              isGreeting={message.id === greetingId}
              branchPosition={branchPositions.get(message.id)}
              handlers={handlers}
            />
            <DeliveryFailureNotice deliveries={deliveryFailures.get(message.id)} />
            <Cards cards={cards.get(message.id) ?? NO_CARDS} sessionId={message.session_id} />
            <FilterMark hits={filterMarks.get(message.id)} />
          </Fragment>
        ))
      }
    </VirtualBlock>
  );
});

/** True when the next message explains the failure itself: an interrupted or not regenerated reply, or one of several models. */
function isExplainedByReply(next: Message | undefined, { id, metadata }: Message): boolean {
  if (next?.role !== "assistant") return false;
  return next.error !== null || next.reply_to === id || Array.isArray(metadata.asked_models);
}

/** Returns the error of a failed regeneration, which is stored with the question of the earlier reply. */
function findRegenerateError({ reply_to, error }: Message, question: Message | undefined): LocalizedError | undefined {
  if (!question?.error || error !== null || reply_to !== question.id) return undefined;
  return Array.isArray(question.metadata.asked_models) ? undefined : question.error;
}

function DayDivider({ at }: { readonly at: Message["timestamp"] }) {
  const { language } = useTexts();
  return (
    <div className={messageCss.day} data-testid="day">
      <time dateTime={at.slice(0, 10)}>{formatDay(at, language)}</time>
    </div>
  );
}
