import { Button } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";

/** Maximum page size of the service. */
const MAX_LIMIT = 500;

export interface Paging {
  /** Number of items to request. */
  readonly limit: number;
  /** Maximum of `limit`. */
  readonly most: number;
  readonly more: () => void;
  /** For another list in its place. */
  readonly restart: () => void;
}

/** A list whose limit grows step by step. */
export function usePaging(step: number, most = MAX_LIMIT): Paging {
  const [limit, setLimit] = useState(step);
  return {
    limit,
    most,
    more: () => setLimit((before) => Math.min(before + step, most)),
    restart: () => setLimit(step),
  };
}

interface ShowMoreProps extends Paging {
  readonly shownCount: number;
  readonly total: number;
}

/** Asks for more of a list, as long as there is more and it is given. */
export function ShowMore({ shownCount, total, limit, most, more }: ShowMoreProps) {
  const { t } = useTexts();
  if (total <= shownCount || limit >= most) return null;
  return (
    <Button size="compact-sm" variant="subtle" mt="xs" onClick={more} data-testid="show-more">
      {t("showMore")}
    </Button>
  );
}
