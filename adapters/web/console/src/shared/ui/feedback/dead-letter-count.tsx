import { useQuery } from "@tanstack/react-query";
import { useAreas } from "../../api/console.ts";
import { type DeadLetter, gateway } from "../../api/gateway.ts";
import { useTexts } from "../../i18n/i18n.ts";
import pendingCss from "./pending.module.css";

const MAX_LETTERS = 500;
const NO_LETTERS: readonly DeadLetter[] = [];

/** Fetches the open dead letters; live events refetch them. */
function useDeadLetterQuery() {
  const { data } = useAreas();
  const isAvailable = data?.items.some(({ id }) => id === "gateway") === true;
  return useQuery({
    queryKey: ["dead_letter", "open"],
    queryFn: () => gateway.listDeadLetters({ limit: MAX_LETTERS }),
    enabled: isAvailable,
    retry: false,
  }).data;
}

/** Returns the newest dead letters, at most `MAX_LETTERS`, the newest first. */
export function useDeadLetters(): readonly DeadLetter[] {
  return useDeadLetterQuery()?.items ?? NO_LETTERS;
}

/** Shows the number of dead letters beside the link to them. */
export function DeadLetterCount() {
  const { t, language } = useTexts();
  const total = useDeadLetterQuery()?.total ?? 0;
  if (total === 0) return null;
  const label = `${t("notDelivered")}: ${total.toLocaleString(language)}`;
  return (
    <span className={pendingCss.count} role="img" aria-label={label} title={label} data-testid="dead-letter-count">
      {total > 99 ? "99+" : total}
    </span>
  );
}
