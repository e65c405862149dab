import { Badge, Button } from "@mantine/core";
import type { Session } from "@parley/core";
import { parley } from "../../../shared/api/client.ts";
import { useHasScope } from "../../../shared/api/console.ts";
import { formatError, useAction } from "../../../shared/ui/common.tsx";
import { showToast } from "../../../shared/ui/feedback/toasts.tsx";
import { useTexts } from "../texts.ts";

const QUERY_KEYS = [["session"]] as const;

interface TakeOverProps {
  readonly session: Pick<Session, "id" | "taken_over">;
  /** Name of the person or group outside. */
  readonly name: string;
  readonly focusComposer: () => void;
}

/** Shows who answers the people outside, AI or operator, and switches between them. */
export function TakeOver({ session: { id, taken_over: takenOver }, name, focusComposer }: TakeOverProps) {
  const { t } = useTexts();
  const { toHandler, isBusy } = useAction(QUERY_KEYS);
  const canChange = useHasScope("admin");
  const path = { session_id: id };
  const withToast = (work: () => Promise<unknown>) => async () => {
    // The header has no room for an error message.
    await toHandler(work, { throws: true })().catch((error) => showToast({ text: formatError(error, t), isBad: true }));
  };
  const takeOver = withToast(async () => {
    await parley.post("/api/sessions/{session_id}/take-over", { path });
    focusComposer();
  });
  const handBack = withToast(async () => {
    await parley.post("/api/sessions/{session_id}/give-back", { path });
    focusComposer();
  });
  if (takenOver === null) {
    if (!canChange) return null;
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
      {/* On a phone there is room for the badge or the button, and the button says the same. */}
      <Badge
        size="sm"
        color="yellow"
        variant="light"
        c="var(--mantine-color-text)"
        {...(canChange && { visibleFrom: "sm" })}
        data-testid="taken-over"
      >
        {t("takenOver", { by: takenOver.by })}
      </Badge>
      {canChange && (
        <Button
          size="compact-xs"
          variant="default"
          flex="none"
          loading={isBusy}
          onClick={handBack}
          data-testid="hand-back"
        >
          {t("handBack")}
        </Button>
      )}
    </>
  );
}
