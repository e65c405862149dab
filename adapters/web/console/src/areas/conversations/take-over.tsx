import { Badge, Button } from "@mantine/core";
import type { Session } from "@parley/core";
import { parley } from "../../shared/api/client.ts";
import { useMay } from "../../shared/api/console.ts";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { useTexts } from "./texts.ts";

const CHANGED = [["session"]] as const;

interface TakeOverProps {
  readonly session: Pick<Session, "id" | "taken_over">;
  /** Who is outside. */
  readonly name: string;
}

/** Who answers the people outside: the AI, or an operator who has taken over. */
export function TakeOver({ session: { id, taken_over: taken }, name }: TakeOverProps) {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const mayChange = useMay("admin");
  const path = { session_id: id };
  const takeOver = tried(() => parley.post("/api/sessions/{session_id}/take-over", { path }));
  const giveBack = tried(() => parley.post("/api/sessions/{session_id}/give-back", { path }));
  if (taken === null) {
    if (!mayChange) return null;
    return (
      <>
        <Button
          size="compact-xs"
          variant="default"
          loading={isBusy}
          onClick={takeOver}
          title={t("takeOverHint", { name })}
          data-testid="take-over"
        >
          {t("takeOver")}
        </Button>
        <Failure error={error} />
      </>
    );
  }
  return (
    <>
      <Badge size="sm" color="yellow" variant="light" c="var(--mantine-color-text)" data-testid="taken-over">
        {t("takenOver", { by: taken.by })}
      </Badge>
      {mayChange && (
        <Button size="compact-xs" variant="default" loading={isBusy} onClick={giveBack} data-testid="give-back">
          {t("giveBack")}
        </Button>
      )}
      <Failure error={error} />
    </>
  );
}
