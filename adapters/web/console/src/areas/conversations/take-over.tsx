import { Badge, Button } from "@mantine/core";
import type { Session } from "@parley/core";
import { parley } from "../../shared/api/client.ts";
import { useMay } from "../../shared/api/console.ts";
import { reasonOf, useTried } from "../../shared/ui/common.tsx";
import { toast } from "../../shared/ui/toasts.tsx";
import { useTexts } from "./texts.ts";

const CHANGED = [["session"]] as const;

interface TakeOverProps {
  readonly session: Pick<Session, "id" | "taken_over">;
  /** Who is outside. */
  readonly name: string;
  /** Puts the cursor where one writes to them. */
  readonly write: () => void;
}

/** Who answers the people outside: the AI, or an operator who has taken over. */
export function TakeOver({ session: { id, taken_over: taken }, name, write }: TakeOverProps) {
  const { t } = useTexts();
  const { tried, isBusy } = useTried(CHANGED);
  const mayChange = useMay("admin");
  const path = { session_id: id };
  const told = (work: () => Promise<unknown>) => async () => {
    // In its one line there is no room for what went wrong.
    await tried(work, { throws: true })().catch((error) => toast({ text: reasonOf(error, t), isBad: true }));
  };
  const takeOver = told(async () => {
    await parley.post("/api/sessions/{session_id}/take-over", { path });
    write();
  });
  const giveBack = told(() => parley.post("/api/sessions/{session_id}/give-back", { path }));
  if (taken === null) {
    if (!mayChange) return null;
    return (
      <Button
        size="compact-xs"
        variant="default"
        flex="none"
        loading={isBusy}
        onClick={takeOver}
        title={t("takeOverHint", { name })}
        data-testid="take-over"
      >
        {t("takeOver")}
      </Button>
    );
  }
  return (
    <>
      {/* On a phone there is room for one of both, and the button says it too. */}
      <Badge
        size="sm"
        color="yellow"
        variant="light"
        c="var(--mantine-color-text)"
        {...(mayChange && { visibleFrom: "sm" })}
        data-testid="taken-over"
      >
        {t("takenOver", { by: taken.by })}
      </Badge>
      {mayChange && (
        <Button
          size="compact-xs"
          variant="default"
          flex="none"
          loading={isBusy}
          onClick={giveBack}
          data-testid="give-back"
        >
          {t("giveBack")}
        </Button>
      )}
    </>
  );
}
