import { Button } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";

/** Maximum page size of the service. */
const MAX_LIMIT = 500;

export interface Paging {
  /** Number of items to request. */
  readonly limit: number;
  readonly maxLimit: number;
  readonly more: () => void;
  /** Resets the limit, for another list. */
  readonly restart: () => void;
}

/** Returns the paging of a list whose limit grows step by step. */
export function usePaging(step: number, maxLimit = MAX_LIMIT): Paging {
  const [limit, setLimit] = useState(step);
  return {
    limit,
    maxLimit,
    more: () => setLimit((before) => Math.min(before + step, maxLimit)),
    restart: () => setLimit(step),
  };
}

interface ShowMoreProps extends Paging {
  readonly shownCount: number;
  readonly total: number;
}

/** A button that loads more of a list; hidden at its end and at the maximum. */
export function ShowMore({ shownCount, total, limit, maxLimit, more }: ShowMoreProps) {
  const { t } = useTexts();
  if (total <= shownCount || limit >= maxLimit) return null;
  return (
    <Button size="compact-sm" variant="subtle" mt="xs" onClick={more} data-testid="show-more">
      {t("showMore")}
    </Button>
  );
}
