import { UnstyledButton } from "@mantine/core";
import type { Localized, LocalizedError, Message } from "@parley/core";
import { UNANSWERED_REASONS } from "@parley/core/unanswered-reasons";
import { useLocalized } from "../../../shared/i18n/use-localized.ts";
import textCss from "../../../shared/styles/text.module.css";
import { useTexts } from "../texts.ts";
import messageCss from "./message.module.css";

interface UnansweredReasonProps {
  readonly failure: LocalizedError;
  /** The extent of the reply that exists: none, part of it, or an earlier one. */
  readonly existingReply?: "none" | "some" | "earlier";
  /** Actions that may help. */
  readonly children?: React.ReactNode;
}

const LEAD_TEXTS = { none: "noAnswer", some: "replyIncomplete", earlier: "regenerateFailed" } as const;

/** The reason why there is no complete reply, with the error key and the provider's message as details. */
export function UnansweredReason({ failure, existingReply = "none", children }: UnansweredReasonProps) {
  const { t } = useTexts();
  const modelFailure = toModelFailure(failure, useLocalized());
  const lead = t(existingReply === "none" && !modelFailure ? "failed" : LEAD_TEXTS[existingReply]);
  return (
    <>
      <span>{`${lead}${t("colon")}${modelFailure?.reason ?? failure.error}`}</span> {children}
      {modelFailure && (
        <details className={messageCss.failureDetails} data-testid="failure-details">
          <summary>{t("details")}</summary>
          <code>{modelFailure.details}</code>
        </details>
      )}
    </>
  );
}

/** Splits a model error into its reason and its details; undefined for other errors. */
function toModelFailure({ detail }: LocalizedError, toText: (text: Localized) => string) {
  const { reason, details } = detail?.texts ?? {};
  if (!detail || !reason) return undefined;
  const { status } = detail.params ?? {};
  const parts = [detail.key.slice(detail.key.indexOf(".") + 1), status, details && toText(details)];
  return { reason: toText(reason), details: parts.filter((part) => part !== undefined).join(" · ") };
}

interface SilenceReasonProps {
  readonly message: Message;
  readonly explain: (message: Message) => void;
}

/** The reason why a message was not answered, which opens its processing; nothing for an answered or failed message. */
export function SilenceReason({ message, explain }: SilenceReasonProps) {
  const { t } = useTexts();
  const toText = useLocalized();
  const texts: ReadonlyMap<unknown, Localized> = new Map(Object.entries(UNANSWERED_REASONS));
  const text = texts.get(message.metadata.unanswered_reason);
  if (!text || message.error) return null;
  return (
    <UnstyledButton className={textCss.meta} onClick={() => explain(message)} data-testid="silence-reason">
      {`${t("notAnswered")}${t("colon")}${toText(text)}`}
    </UnstyledButton>
  );
}
