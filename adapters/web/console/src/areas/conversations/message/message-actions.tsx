import type { Message } from "@parley/core";
import { useMoney } from "../../../shared/i18n/use-money.ts";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { useCopy } from "../../../shared/ui/text/use-copy.ts";
import { type TextKey, useTexts } from "../texts.ts";
import messageCss from "./message.module.css";
import { type MessageAction, MessageMenu } from "./message-menu.tsx";

/** Actions on messages; one stable object for all messages, so that none re-renders needlessly. */
export interface MessageActionHandlers {
  /** True when the user may make changes; else only read-only actions are offered. */
  readonly canChange: boolean;
  /** Regenerates this reply, or the last one without an id, at once; the new reply is not sent to a channel. */
  regenerate(messageId?: string): Promise<void>;
  continueReply(): void;
  /** Switches the conversation to another branch. */
  showBranch(message: Message, branchId: string): void;
  /** Shows a toast, with undo, that the edited message is on a new branch. */
  onBranched(message: Message): void;
  /** Regenerates this reply, or the last one without an id; asks first if the new reply could be sent to a channel. */
  requestRegenerate(messageId: string | undefined): void;
  /** Lets the user select another model, which then regenerates the reply. */
  requestOtherModel(message: Message): void;
  fork(message: Message): void;
  /** Makes the next message a reply to this one. */
  reply(message: Message): void;
  findMessage(id: string): Message | undefined;
  /** Opens the dialog that publishes the conversation up to here. */
  share(message: Message): void;
  /** Deletes the message; can be undone for a while. */
  remove(message: Message): void;
  isSaved(message: Message): boolean;
  /** Adds a message to the favorites, or removes it. */
  toggleSaved(message: Message): void;
  rate(message: Message, rating: NonNullable<Message["rating"]>): void;
  /** Reads the message aloud; undefined without speech synthesis. */
  readonly playSpeech: ((message: Message) => void) | undefined;
  /** Explains a reply, or shows the processing of a message. */
  explain(message: Message): void;
}

interface MessageActionsProps {
  readonly message: Message;
  readonly isLastReply: boolean;
  readonly isLast: boolean;
  readonly handlers: MessageActionHandlers;
  readonly edit: () => void;
  /** Content before the actions; always visible. */
  readonly children?: React.ReactNode;
}

/**
 * Frequent actions are buttons below the message, all others are in its menu. Visible on hover and keyboard focus;
 * the list hides those that need an idle session.
 */
export function MessageActions(props: MessageActionsProps) {
  const { message, handlers, edit, children } = props;
  const { t } = useTexts();
  const isReply = message.role === "assistant";
  const editAction: MessageAction = { icon: "edit", label: t("edit"), testId: "edit", isIdleOnly: true, run: edit };
  return (
    <div className={messageCss.row}>
      {children}
      <fieldset className={`${messageCss.row} ${messageCss.actions}`} aria-label={t("messageActions")}>
        <ActionButtons actions={toRegenerateActions(props, t)} />
        <CopyButton message={message} />
        {handlers.canChange && !isReply && <ActionButton {...editAction} />}
        {canRate(props) && <ActionButtons actions={toRatingActions(message, handlers, t)} />}
        <ActionButtons actions={toExplainActions(message, handlers, t)} />
        {(handlers.canChange || canPlaySpeech(props)) && (
          <MessageMenu actions={() => toMenuActions(props, t, isReply ? [editAction] : [])} />
        )}
        {message.usage && <Usage usage={message.usage} />}
      </fieldset>
    </div>
  );
}

type Translate = (key: TextKey) => string;

function isByOperator({ metadata }: Message): boolean {
  return metadata.sent_by_operator === true;
}

function canRegenerate({ message, isLastReply, isLast, handlers }: MessageActionsProps): boolean {
  // Regenerating without a reply answers the last question, so an earlier unanswered question cannot be retried.
  const isOpen = message.error !== null && (message.role === "assistant" || isLast);
  return handlers.canChange && (isLastReply || isOpen) && message.kind === "normal" && !isByOperator(message);
}

function canRate({ message, handlers }: MessageActionsProps): boolean {
  return handlers.canChange && message.role === "assistant" && message.kind === "normal" && !isByOperator(message);
}

function canPlaySpeech({ message, handlers }: MessageActionsProps): boolean {
  return handlers.playSpeech !== undefined && message.role === "assistant" && message.content !== "";
}

function toRegenerateActions(props: MessageActionsProps, t: Translate): readonly MessageAction[] {
  const { message, handlers } = props;
  if (!canRegenerate(props)) return [];
  const run = () => handlers.requestRegenerate(message.role === "assistant" ? message.id : undefined);
  return [{ icon: "refresh", label: t("regenerate"), testId: "regenerate", isIdleOnly: true, run }];
}

function toMenuActions(
  props: MessageActionsProps,
  t: Translate,
  editActions: readonly MessageAction[],
): readonly MessageAction[] {
  const { message, isLastReply, handlers } = props;
  const isReply = message.role === "assistant";
  const isSaved = handlers.isSaved(message);
  const actions: readonly (MessageAction | false | undefined)[] = [
    handlers.canChange && { icon: "quote", label: t("quote"), testId: "quote", run: () => handlers.reply(message) },
    isReply &&
      canRegenerate(props) && {
        icon: "model",
        label: t("regenerateWith"),
        testId: "regenerate-with",
        isIdleOnly: true,
        run: () => handlers.requestOtherModel(message),
      },
    isLastReply &&
      canRate(props) && {
        icon: "next",
        label: t("continueReply"),
        testId: "continue-reply",
        isIdleOnly: true,
        run: handlers.continueReply,
      },
    canPlaySpeech(props) && {
      icon: "play",
      label: t("readAloud"),
      testId: "read-aloud",
      run: () => handlers.playSpeech?.(message),
    },
    ...(handlers.canChange
      ? ([
          {
            icon: "star",
            label: t(isSaved ? "unstarMessage" : "starMessage"),
            testId: "star-message",
            isPressed: isSaved,
            run: () => handlers.toggleSaved(message),
          },
          ...editActions,
          { icon: "fork", label: t("forkHere"), testId: "fork-here", run: () => handlers.fork(message) },
          { icon: "share", label: t("shareToHere"), testId: "share-to-here", run: () => handlers.share(message) },
          {
            icon: "trash",
            label: t("removeMessage"),
            testId: "delete",
            isIdleOnly: true,
            run: () => handlers.remove(message),
          },
        ] as const)
      : []),
  ];
  return actions.filter((one) => one !== undefined && one !== false);
}

export function CopyButton({ message: { content } }: Pick<MessageActionsProps, "message">) {
  const { t } = useTexts();
  const { isCopied, copy } = useCopy(() => content);
  if (!copy || content === "") return null;
  return (
    <ActionButton
      icon={isCopied ? "check" : "copy"}
      label={t(isCopied ? "copied" : "copyText")}
      testId="copy"
      run={copy}
    />
  );
}

/** The action that explains a reply or shows the processing of a message; none without a trace. */
export function toExplainActions(
  message: Message,
  handlers: MessageActionHandlers,
  t: Translate,
): readonly MessageAction[] {
  const isReply = message.role === "assistant";
  if (message.trace_id === null) return [];
  return [
    {
      icon: isReply ? "brain" : "gateway",
      label: t(isReply ? "explain" : "showProcessing"),
      testId: isReply ? "explain" : "show-processing",
      run: () => handlers.explain(message),
    },
  ];
}

const RATINGS = [
  ["good", "thumbUp", "rateGood"],
  ["bad", "thumbDown", "rateBad"],
] as const;

export function toRatingActions(
  message: Message,
  handlers: MessageActionHandlers,
  t: Translate,
): readonly MessageAction[] {
  return RATINGS.map(([rating, icon, label]) => ({
    icon,
    label: t(label),
    testId: `rate-${rating}`,
    isPressed: message.rating === rating,
    run: () => handlers.rate(message, rating),
  }));
}

/** Tokens and cost of a reply, as a detail. */
export function Usage({
  usage: { input_tokens, output_tokens, cache_read_tokens = 0, cost },
}: {
  readonly usage: NonNullable<Message["usage"]>;
}) {
  const { t, language } = useTexts();
  const { formatPrice } = useMoney();
  const formatCount = (tokens: number) => tokens.toLocaleString(language);
  const cached = cache_read_tokens > 0 ? t("usageCached", { tokens: formatCount(cache_read_tokens) }) : "";
  return (
    <span className={messageCss.usage} title={[t("usageHint"), cached].filter(Boolean).join("\n")} data-testid="usage">
      {`${formatCount(input_tokens)} → ${formatCount(output_tokens)}`}
      {cost !== null && ` · ${formatPrice(cost)}`}
    </span>
  );
}

export function ActionButtons({ actions }: { readonly actions: readonly MessageAction[] }) {
  return actions.map((one) => <ActionButton key={one.testId} {...one} />);
}

// A plain button, because thousands of messages have several each.
function ActionButton({ icon, label, testId, isIdleOnly = false, isPressed, run }: MessageAction) {
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
