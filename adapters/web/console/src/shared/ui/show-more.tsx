import { Button } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/i18n.ts";

/** What the service gives at once at most. */
const MOST = 500;

interface Longer {
  /** How many to ask for. */
  readonly limit: number;
  readonly more: () => void;
}

/** A list that is asked for from its beginning, each time some more of it. */
export function useLonger(step: number): Longer {
  const [limit, setLimit] = useState(step);
  return { limit, more: () => setLimit((before) => Math.min(before + step, MOST)) };
}

interface ShowMoreProps extends Longer {
  readonly shown: number;
  readonly total: number;
}

/** Asks for more of a list, as long as there is more and it is given. */
export function ShowMore({ shown, total, limit, more }: ShowMoreProps) {
  const { t } = useTexts();
  if (total <= shown || limit >= MOST) return null;
  return (
    <Button size="compact-sm" variant="subtle" mt="xs" onClick={more} data-testid="show-more">
      {t("showMore")}
    </Button>
  );
}
