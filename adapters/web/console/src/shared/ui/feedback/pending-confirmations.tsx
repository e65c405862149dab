import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Confirmation, confirmations } from "../../api/confirmations.ts";
import { useTexts } from "../../i18n/i18n.ts";
import textCss from "../../styles/text.module.css";
import pendingCss from "./pending.module.css";

export function useConfirmations(): readonly Confirmation[] {
  // Live events refetch it when a request is added or answered.
  const open = useQuery({
    queryKey: ["confirmation"],
    queryFn: confirmations.list,
    retry: false,
    refetchOnMount: "always",
  });
  return open.data?.items ?? [];
}

/** The number of pending confirmations, in the navigation. */
export function ConfirmationCount() {
  const { t } = useTexts();
  const { length } = useConfirmations();
  if (length === 0) return null;
  return (
    <span
      className={pendingCss.count}
      role="img"
      aria-label={`${t("waitingForYou")}: ${length}`}
      data-testid="waiting-count"
    >
      {length}
    </span>
  );
}

/** A notice about pending confirmations on other pages, which expire after two minutes. */
export function ConfirmationNotice({ path }: { readonly path: string }) {
  const { t } = useTexts();
  const [first] = useConfirmations().filter(
    ({ session_id }) => !path.endsWith(`/sessions/${encodeURIComponent(session_id)}`),
  );
  if (!first || path.startsWith("/mcp")) return null;
  return (
    <div className={pendingCss.notice} role="status" data-testid="waiting-notice">
      {t("waitingForYou")}
      <Link to="/mcp" className={textCss.inlineLink}>
        {t("toAnswer")}
      </Link>
    </div>
  );
}
