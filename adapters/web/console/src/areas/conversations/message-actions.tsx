import type { Message } from "@parley/core";
import { useMoney } from "../../shared/i18n/money.ts";
import { Icon, type IconName } from "../../shared/ui/icon.tsx";
import { useCopy } from "../../shared/ui/use-copy.ts";
import { useTexts } from "./texts.ts";

/** What can be done with a message; the same object for all of them, so that none is drawn again in vain. */
export interface MessageDeeds {
  /** Whether who looks may change anything; else only what shows something is offered. */
  readonly mayChange: boolean;
  /** In a conversation of a channel the new answer is shown here only. */
  regenerate(messageId?: string): Promise<void>;
  /** Asks for more of the last answer. */
  goOn(): void;
  /** Shows another way the conversation went on. */
  showBranch(message: Message, branchId: string): void;
  /** Says that a message was put another way, and offers to go back. */
  branched(message: Message): void;
  /** The same as `regenerate`; where it may be sent, asks first. */
  answerAgain(messageId: string | undefined): void;
  /** Asks which model shall answer the same once more. */
  answerWith(message: Message): void;
  fork(message: Message): void;
  /** What is written next answers it. */
  reply(message: Message): void;
  /** A message that is loaded. */
  find(id: string): Message | undefined;
  /** Opens the dialog that publishes the conversation up to here. */
  share(message: Message): void;
  /** It can be taken back for a while. */
  remove(message: Message): void;
  isKept(message: Message): boolean;
  /** Keeps a copy of it, or does not any more. */
  keep(message: Message): void;
  rate(message: Message, rating: NonNullable<Message["rating"]>): void;
  /** Says it aloud; absent where nothing speaks. */
  readonly hear: ((message: Message) => void) | undefined;
  /** Shows how an answer came about, or what became of a message. */
  explain(message: Message): void;
}

interface MessageActionsProps {
  readonly message: Message;
  readonly isLastReply: boolean;
  readonly isLast: boolean;
  readonly deeds: MessageDeeds;
  readonly edit: () => void;
}

/** Shown when the message is pointed at or reached with the keyboard. What needs an idle session is hidden by the list. */
export function MessageActions({ message, isLastReply, isLast, deeds, edit }: MessageActionsProps) {
  const { t } = useTexts();
  const isByOperator = message.metadata.sent_by_operator === true;
  const isReply = message.role === "assistant";
  // Of an earlier question without an answer the last one would be answered again.
  const isOpen = message.error !== null && (isReply || isLast);
  const canRegenerate = deeds.mayChange && (isLastReply || isOpen) && message.kind === "normal" && !isByOperator;
  return (
    <fieldset className="row actions" aria-label={t("messageActions")}>
      {canRegenerate && (
        <Act
          icon="refresh"
          label={t("regenerate")}
          testId="regenerate"
          isIdleOnly
          run={() => deeds.answerAgain(isReply ? message.id : undefined)}
        />
      )}
      {canRegenerate && isReply && (
        <Act icon="model" label={t("againWith")} testId="again-with" isIdleOnly run={() => deeds.answerWith(message)} />
      )}
      {deeds.mayChange && isReply && isLastReply && message.kind === "normal" && !isByOperator && (
        <Act icon="next" label={t("goOn")} testId="go-on" isIdleOnly run={deeds.goOn} />
      )}
      <Copy message={message} />
      {deeds.mayChange && <Act icon="back" label={t("quote")} testId="quote" run={() => deeds.reply(message)} />}
      {deeds.hear && isReply && message.content !== "" && (
        <Act icon="play" label={t("hearMessage")} testId="hear" run={() => deeds.hear?.(message)} />
      )}
      <Explain message={message} deeds={deeds} />
      {deeds.mayChange && isReply && message.kind === "normal" && !isByOperator && (
        <Ratings message={message} deeds={deeds} />
      )}
      {deeds.mayChange && (
        <>
          <Act
            icon="star"
            label={t(deeds.isKept(message) ? "unkeepMessage" : "keepMessage")}
            testId="keep-message"
            isPressed={deeds.isKept(message)}
            run={() => deeds.keep(message)}
          />
          <Act icon="edit" label={t("edit")} testId="edit" isIdleOnly run={edit} />
          <Act icon="fork" label={t("forkHere")} testId="fork-here" run={() => deeds.fork(message)} />
          <Act icon="share" label={t("shareToHere")} testId="share-to-here" run={() => deeds.share(message)} />
          <Act icon="trash" label={t("removeMessage")} testId="delete" isIdleOnly run={() => deeds.remove(message)} />
        </>
      )}
      {message.usage && <Usage usage={message.usage} />}
    </fieldset>
  );
}

export function Copy({ message: { content } }: Pick<MessageActionsProps, "message">) {
  const { t } = useTexts();
  const { isCopied, copy } = useCopy(() => content);
  if (!copy || content === "") return null;
  return (
    <Act icon={isCopied ? "check" : "copy"} label={t(isCopied ? "copied" : "copyText")} testId="copy" run={copy} />
  );
}

/** How an answer came about, or what became of a message. */
export function Explain({ message, deeds }: Pick<MessageActionsProps, "message" | "deeds">) {
  const { t } = useTexts();
  const isReply = message.role === "assistant";
  if (message.trace_id === null) return null;
  return (
    <Act
      icon={isReply ? "brain" : "gateway"}
      label={t(isReply ? "explain" : "whatBecame")}
      testId={isReply ? "explain" : "what-became"}
      run={() => deeds.explain(message)}
    />
  );
}

const RATINGS = [
  ["good", "thumbUp", "rateGood"],
  ["bad", "thumbDown", "rateBad"],
] as const;

export function Ratings({ message, deeds }: Pick<MessageActionsProps, "message" | "deeds">) {
  const { t } = useTexts();
  return RATINGS.map(([rating, icon, label]) => (
    <Act
      key={rating}
      icon={icon}
      label={t(label)}
      testId={`rate-${rating}`}
      isPressed={message.rating === rating}
      run={() => deeds.rate(message, rating)}
    />
  ));
}

/** What it took, for who looks closer. */
export function Usage({
  usage: { input_tokens, output_tokens, cost },
}: {
  readonly usage: NonNullable<Message["usage"]>;
}) {
  const { t, language } = useTexts();
  const { priceOf } = useMoney();
  const count = (tokens: number) => tokens.toLocaleString(language);
  return (
    <span className="usage" title={t("usageHint")} data-testid="usage">
      {`${count(input_tokens)} → ${count(output_tokens)}`}
      {cost !== null && ` · ${priceOf(cost)}`}
    </span>
  );
}

interface ActProps {
  readonly icon: IconName;
  readonly label: string;
  readonly testId: string;
  readonly isIdleOnly?: boolean;
  /** Of what is on or off. */
  readonly isPressed?: boolean;
  readonly run: () => void;
}

// A plain button: there are five for each of thousands of messages.
function Act({ icon, label, testId, isIdleOnly = false, isPressed, run }: ActProps) {
  return (
    <button
      type="button"
      className={isIdleOnly ? "act when-idle" : "act"}
      aria-label={label}
      title={label}
      data-testid={testId}
      aria-pressed={isPressed}
      onClick={run}
    >
      <Icon name={icon} size={15} filled={isPressed === true} />
    </button>
  );
}
