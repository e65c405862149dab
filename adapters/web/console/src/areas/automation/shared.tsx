import { Badge } from "@mantine/core";
import { everyOf } from "../../shared/i18n/durations.ts";
import { timeOf } from "../../shared/ui/common.tsx";
import { CronText } from "../../shared/ui/cron-text.tsx";
import { ChoiceField, NumberField, PickField, TextField } from "../../shared/ui/fields.tsx";
import { At } from "../../shared/ui/form.tsx";
import { TimeInput } from "../../shared/ui/time-input.tsx";
import { localTimeOf, momentOf } from "../../shared/ui/written-time.ts";
import type { Plan, RunStatus, StepState, Trigger } from "./api.ts";
import { useTexts } from "./texts.ts";

export const CHANGED = [["workflow"], ["task"], ["heartbeat"], ["run"]] as const;
const MINUTE_MS = 60_000;
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

export function StatusBadge({ status }: { readonly status: RunStatus | "idle" }) {
  const { t } = useTexts();
  return (
    <Badge variant="light" color={RUN_COLORS[status]}>
      {t(`status_${status}`)}
    </Badge>
  );
}

export function StateBadge({ state }: { readonly state: StepState }) {
  const { t } = useTexts();
  return (
    <Badge variant="light" color={STATE_COLORS[state]} size="sm">
      {t(`state_${state}`)}
    </Badge>
  );
}

/** When it runs, in a few words. */
export function PlanText({ trigger, config }: { readonly trigger: Trigger; readonly config: Plan }) {
  const { t, language } = useTexts();
  if (trigger === "cron") return <CronText cron={config.cron ?? "0 8 * * *"} timezone={config.timezone} />;
  if (trigger === "interval")
    return t("everyTime", { time: everyOf((config.interval_minutes ?? 60) * MINUTE_MS, language) });
  return trigger === "date" ? timeOf(config.run_at, language) : t("trigger_manual");
}

export interface PlanFieldsProps<Of extends Trigger> {
  readonly triggers: readonly Of[];
  readonly trigger: Of;
  readonly config: Plan;
  readonly put: (trigger: Of, config: Plan) => void;
}

/** When something runs by itself. */
export function PlanFields<Of extends Trigger>({ triggers, trigger, config, put }: PlanFieldsProps<Of>) {
  const { t } = useTexts();
  const set = (patch: Plan) => put(trigger, without({ ...config, ...patch }));
  return (
    <>
      <ChoiceField
        name="trigger"
        label={t("starts")}
        value={trigger}
        put={(value) => put(value, config)}
        data={triggers.map((value) => ({ value, label: t(`trigger_${value}`) }))}
      />
      {trigger === "cron" && (
        <>
          <TextField
            name="config.cron"
            label={t("cron")}
            description={t("cronHint")}
            placeholder="0 8 * * *"
            value={config.cron ?? ""}
            put={(cron) => set({ cron })}
          />
          <PickField
            name="config.timezone"
            label={t("timezone")}
            description={t("timezoneHint")}
            limit={50}
            data={Intl.supportedValuesOf("timeZone")}
            value={config.timezone ?? null}
            put={(timezone) => set({ timezone: timezone ?? "" })}
          />
        </>
      )}
      {trigger === "interval" && (
        <NumberField
          name="config.interval_minutes"
          label={t("minutes")}
          min={1}
          max={525_600}
          value={config.interval_minutes ?? 60}
          put={(minutes) => set({ interval_minutes: minutes || 60 })}
        />
      )}
      {trigger === "date" && (
        <At name="config.run_at">
          <TimeInput
            kind="moment"
            label={t("runAt")}
            value={localTimeOf(config.run_at)}
            put={(at) => set({ run_at: momentOf(at) ?? "" })}
          />
        </At>
      )}
    </>
  );
}

/** Without what is empty. */
export function without<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined)) as T;
}
