import type { ToldFailure } from "@parley/core";
import { isChinese } from "../../../shared/i18n/i18n.ts";
import { toLocalizedText } from "../../../shared/ui/common.tsx";
import { useTexts } from "../texts.ts";
import messageCss from "./message.module.css";

interface UnansweredReasonProps {
  readonly failure: ToldFailure;
  /** The extent of the reply that exists: none, part of it, or an earlier one. */
  readonly existingReply?: "none" | "some" | "earlier";
  /** Actions that may help. */
  readonly children?: React.ReactNode;
}

const LEAD_TEXTS = { none: "noAnswer", some: "brokeOff", earlier: "notAgain" } as const;

/** The unanswered reason in plain words, with the error key and the provider's message as details. */
export function UnansweredReason({ failure, existingReply = "none", children }: UnansweredReasonProps) {
  const { t } = useTexts();
  const ofModel = toModelFailure(failure);
  const lead = t(existingReply === "none" && !ofModel ? "failed" : LEAD_TEXTS[existingReply]);
  return (
    <>
      <span>{`${lead}${t("colon")}${ofModel?.why ?? toLocalizedText(failure)}`}</span> {children}
      {ofModel && (
        <details className={messageCss.toldDetails} data-testid="failure-details">
          <summary>{t("details")}</summary>
          <code>{ofModel.details}</code>
        </details>
      )}
    </>
  );
}

/** Takes the sentence and the details of a model error apart; undefined for other errors. */
function toModelFailure({ detail }: ToldFailure): { readonly why: string; readonly details: string } | undefined {
  const { why, why_en, details, details_zh = details, status } = detail?.params ?? {};
  if (!detail || why === undefined || why_en === undefined) return undefined;
  const isZh = isChinese();
  const parts = [detail.key.slice(detail.key.indexOf(".") + 1), status, isZh ? details_zh : details];
  return { why: String(isZh ? why : why_en), details: parts.filter((part) => part !== undefined).join(" · ") };
}
