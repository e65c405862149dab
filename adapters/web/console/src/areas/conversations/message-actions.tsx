import type { Message } from "@parley/core";
import { useMoney } from "../../shared/i18n/money.ts";
import { Icon, type IconName } from "../../shared/ui/icon.tsx";
import { useCopy } from "../../shared/ui/use-copy.ts";
import messageCss from "./message.module.css";
import { MessageMenu } from "./message-menu.tsx";
import { type TextKey, useTexts } from "./texts.ts";

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
  /** What stands before it all, and is always shown. */
  readonly children?: React.ReactNode;
}

/** One thing that can be done with a message. */
export interface Deed {
  readonly icon: IconName;
  readonly label: string;
  readonly testId: string;
  readonly isIdleOnly?: boolean;
  /** Of what is on or off. */
  readonly isPressed?: boolean;
  readonly run: () => void;
}

/**
 * What is done often stands below the message, all else is in its menu. Shown when the message is pointed at or reached with
 * the keyboard. What needs an idle session is hidden by the list.
 */
export function MessageActions(props: MessageActionsProps) {
  const { message, deeds, edit, children } = props;
  const { t } = useTexts();
  const isReply = message.role === "assistant";
  const change: Deed = { icon: "edit", label: t("edit"), testId: "edit", isIdleOnly: true, run: edit };
  return (
    <div className={messageCss.row}>
      {children}
      <fieldset className={`${messageCss.row} ${messageCss.actions}`} aria-label={t("messageActions")}>
        <Acts all={againOf(props, t)} />
        <Copy message={message} />
        {deeds.mayChange && !isReply && <Act {...change} />}
        {canRate(props) && <Acts all={ratingsOf(message, deeds, t)} />}
        <Acts all={explainOf(message, deeds, t)} />
        {(deeds.mayChange || canHear(props)) && <MessageMenu all={() => menuOf(props, t, isReply ? [change] : [])} />}
        {message.usage && <Usage usage={message.usage} />}
      </fieldset>
    </div>
  );
}

type Say = (key: TextKey) => string;

function isByOperator({ metadata }: Message): boolean {
  return metadata.sent_by_operator === true;
}

function canAnswerAgain({ message, isLastReply, isLast, deeds }: MessageActionsProps): boolean {
  // Of an earlier question without an answer the last one would be answered again.
  const isOpen = message.error !== null && (message.role === "assistant" || isLast);
  return deeds.mayChange && (isLastReply || isOpen) && message.kind === "normal" && !isByOperator(message);
}

function canRate({ message, deeds }: MessageActionsProps): boolean {
  return deeds.mayChange && message.role === "assistant" && message.kind === "normal" && !isByOperator(message);
}

function canHear({ message, deeds }: MessageActionsProps): boolean {
  return deeds.hear !== undefined && message.role === "assistant" && message.content !== "";
}

function againOf(props: MessageActionsProps, t: Say): readonly Deed[] {
  const { message, deeds } = props;
  if (!canAnswerAgain(props)) return [];
  const run = () => deeds.answerAgain(message.role === "assistant" ? message.id : undefined);
  return [{ icon: "refresh", label: t("regenerate"), testId: "regenerate", isIdleOnly: true, run }];
}

function menuOf(props: MessageActionsProps, t: Say, changes: readonly Deed[]): readonly Deed[] {
  const { message, isLastReply, deeds } = props;
  const isReply = message.role === "assistant";
  const isKept = deeds.isKept(message);
  const all: readonly (Deed | false | undefined)[] = [
    deeds.mayChange && { icon: "quote", label: t("quote"), testId: "quote", run: () => deeds.reply(message) },
    isReply &&
      canAnswerAgain(props) && {
        icon: "model",
        label: t("againWith"),
        testId: "again-with",
        isIdleOnly: true,
        run: () => deeds.answerWith(message),
      },
    isLastReply &&
      canRate(props) && { icon: "next", label: t("goOn"), testId: "go-on", isIdleOnly: true, run: deeds.goOn },
    canHear(props) && { icon: "play", label: t("hearMessage"), testId: "hear", run: () => deeds.hear?.(message) },
    ...(deeds.mayChange
      ? ([
          {
            icon: "star",
            label: t(isKept ? "unkeepMessage" : "keepMessage"),
            testId: "keep-message",
            isPressed: isKept,
            run: () => deeds.keep(message),
          },
          ...changes,
          { icon: "fork", label: t("forkHere"), testId: "fork-here", run: () => deeds.fork(message) },
          { icon: "share", label: t("shareToHere"), testId: "share-to-here", run: () => deeds.share(message) },
          {
            icon: "trash",
            label: t("removeMessage"),
            testId: "delete",
            isIdleOnly: true,
            run: () => deeds.remove(message),
          },
        ] as const)
      : []),
  ];
  return all.filter((one) => one !== undefined && one !== false);
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
export function explainOf(message: Message, deeds: MessageDeeds, t: Say): readonly Deed[] {
  const isReply = message.role === "assistant";
  if (message.trace_id === null) return [];
  return [
    {
      icon: isReply ? "brain" : "gateway",
      label: t(isReply ? "explain" : "whatBecame"),
      testId: isReply ? "explain" : "what-became",
      run: () => deeds.explain(message),
    },
  ];
}

const RATINGS = [
  ["good", "thumbUp", "rateGood"],
  ["bad", "thumbDown", "rateBad"],
] as const;

export function ratingsOf(message: Message, deeds: MessageDeeds, t: Say): readonly Deed[] {
  return RATINGS.map(([rating, icon, label]) => ({
    icon,
    label: t(label),
    testId: `rate-${rating}`,
    isPressed: message.rating === rating,
    run: () => deeds.rate(message, rating),
  }));
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
    <span className={messageCss.usage} title={t("usageHint")} data-testid="usage">
      {`${count(input_tokens)} → ${count(output_tokens)}`}
      {cost !== null && ` · ${priceOf(cost)}`}
    </span>
  );
}

export function Acts({ all }: { readonly all: readonly Deed[] }) {
  return all.map((one) => <Act key={one.testId} {...one} />);
}

// A plain button: there are some for each of thousands of messages.
function Act({ icon, label, testId, isIdleOnly = false, isPressed, run }: Deed) {
  return (
    <button
      type="button"
      className={isIdleOnly ? `${messageCss.act} ${messageCss.whenIdle}` : messageCss.act}
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
