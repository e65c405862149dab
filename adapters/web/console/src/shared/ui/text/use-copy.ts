import { useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { toast } from "../feedback/toasts.tsx";

interface CopyState {
  readonly isCopied: boolean;
  /** Undefined where there is no clipboard: browsers have one only where the page came over a connection that nobody reads. */
  readonly copy: (() => void) | undefined;
}

/** Puts a text on the clipboard, and says so where the browser refuses. */
export function useCopy(text: () => string): CopyState {
  const { t } = useTexts();
  const [isCopied, setCopied] = useState(false);
  const refused = () => {
    setCopied(false);
    toast({ text: t("notCopied"), isBad: true });
  };
  const copy = () => void navigator.clipboard.writeText(text()).then(() => setCopied(true), refused);
  return { isCopied, copy: navigator.clipboard === undefined ? undefined : copy };
}
