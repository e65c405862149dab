import { Badge } from "@mantine/core";
import type { RunStatus, StepState } from "../api.ts";
import { useTexts } from "../texts.ts";

const RUN_COLORS: Readonly<Record<RunStatus | "idle", string>> = {
  idle: "gray",
  queued: "gray",
  running: "blue",
  success: "parley",
  failed: "red",
  canceled: "gray",
  timed_out: "red",
};
const STATE_COLORS: Readonly<Record<StepState, string>> = {
  started: "blue",
  done: "parley",
  failed: "red",
  skipped: "gray",
  unknown: "orange",
};

export function RunStatusBadge({ status }: { readonly status: RunStatus | "idle" }) {
  const { t } = useTexts();
  return (
    <Badge variant="light" color={RUN_COLORS[status]}>
      {t(`status_${status}`)}
    </Badge>
  );
}

export function StepStateBadge({ state }: { readonly state: StepState }) {
  const { t } = useTexts();
  return (
    <Badge variant="light" color={STATE_COLORS[state]} size="sm">
      {t(`state_${state}`)}
    </Badge>
  );
}
