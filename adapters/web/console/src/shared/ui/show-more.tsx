import { Button } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/i18n.ts";

/** What the service gives at once at most. */
const MOST = 500;

interface Longer {
  /** How many to ask for. */
  readonly limit: number;
  /** How far it grows. */
  readonly most: number;
  readonly more: () => void;
  /** For another list in its place. */
  readonly restart: () => void;
}

/** A list that is shown from its beginning, each time some more of it. */
export function useLonger(step: number, most = MOST): Longer {
  const [limit, setLimit] = useState(step);
  return {
    limit,
    most,
    more: () => setLimit((before) => Math.min(before + step, most)),
    restart: () => setLimit(step),
  };
}

interface ShowMoreProps extends Longer {
  readonly shown: number;
  readonly total: number;
}

/** Asks for more of a list, as long as there is more and it is given. */
export function ShowMore({ shown, total, limit, most, more }: ShowMoreProps) {
  const { t } = useTexts();
  if (total <= shown || limit >= most) return null;
  return (
    <Button size="compact-sm" variant="subtle" mt="xs" onClick={more} data-testid="show-more">
      {t("showMore")}
    </Button>
  );
}
