import { useEffect, useState } from "react";
import { useTexts } from "../../shared/i18n/i18n.ts";
import { useConnectionPhase } from "../../shared/live/live-provider.tsx";
import connectionNoticeCss from "./connection-notice.module.css";

const SHOW_AFTER_MS = 2_000;

/** A notice about a lost connection; not shown for the first two seconds. */
export function ConnectionNotice() {
  const { t } = useTexts();
  const isOpen = useConnectionPhase() === "open";
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (isOpen) return;
    const timer = setTimeout(() => setLate(true), SHOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isOpen]);
  if (isOpen || !isLate) return null;
  return (
    <div className={connectionNoticeCss.lost} role="status">
      {t("reconnecting")}
    </div>
  );
}
