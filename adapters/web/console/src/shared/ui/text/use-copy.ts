import { useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { showToast } from "../feedback/toasts.tsx";

interface CopyState {
  readonly isCopied: boolean;
  /** Undefined without a clipboard, which browsers only offer in secure contexts. */
  readonly copy: (() => void) | undefined;
}

/** Copies a text, and reports when the browser rejects that. */
export function useCopy(text: () => string): CopyState {
  const { t } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const handleRejection = () => {
    setCopied(false);
    showToast({ text: t("notCopied"), isBad: true });
  };
  const copy = () => void navigator.clipboard.writeText(text()).then(() => setCopied(true), handleRejection);
  return { isCopied, copy: navigator.clipboard === undefined ? undefined : copy };
}
