import { formatInterval } from "../../shared/i18n/format-duration.ts";
import { omitEmpty } from "../../shared/omit-empty.ts";
import { formatTime } from "../../shared/ui/common.tsx";
import { ComboboxField, NumberField, SelectField, TextField } from "../../shared/ui/form/fields.tsx";
import { FormControl } from "../../shared/ui/form/form.tsx";
import { TimeInput } from "../../shared/ui/form/time-input.tsx";
import { toInstant, toLocalTime } from "../../shared/ui/form/time-text.ts";
import { CronText } from "../../shared/ui/text/cron-text.tsx";
import type { ScheduleConfig, Trigger } from "./api.ts";
import { useTexts } from "./texts.ts";

const MINUTE_MS = 60_000;

/** A schedule in words. */
export function ScheduleText({ trigger, config }: { readonly trigger: Trigger; readonly config: ScheduleConfig }) {
  const { t, language } = useTexts();
  if (trigger === "cron") return <CronText cron={config.cron ?? "0 8 * * *"} timezone={config.timezone} />;
  if (trigger === "interval")
    return t("everyTime", { time: formatInterval((config.interval_minutes ?? 60) * MINUTE_MS, language) });
  return trigger === "date" ? formatTime(config.run_at, language) : t("trigger_manual");
}

export interface ScheduleFieldsProps<Of extends Trigger> {
  readonly triggers: readonly Of[];
  readonly trigger: Of;
  readonly config: ScheduleConfig;
  readonly onChange: (trigger: Of, config: ScheduleConfig) => void;
}

export function ScheduleFields<Of extends Trigger>({ triggers, trigger, config, onChange }: ScheduleFieldsProps<Of>) {
  const { t } = useTexts();
  const update = (patch: ScheduleConfig) => onChange(trigger, omitEmpty({ ...config, ...patch }));
  return (
    <>
      <SelectField
        name="trigger"
        label={t("starts")}
        value={trigger}
        onChange={(value) => onChange(value, config)}
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
            onChange={(cron) => update({ cron })}
          />
          <ComboboxField
            name="config.timezone"
            label={t("timezone")}
            description={t("timezoneHint")}
            limit={50}
            data={Intl.supportedValuesOf("timeZone")}
            value={config.timezone ?? null}
            onChange={(timezone) => update({ timezone: timezone ?? "" })}
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
          onChange={(minutes) => update({ interval_minutes: minutes || 60 })}
        />
      )}
      {trigger === "date" && (
        <FormControl name="config.run_at">
          <TimeInput
            kind="moment"
            label={t("runAt")}
            value={toLocalTime(config.run_at)}
            onChange={(at) => update({ run_at: toInstant(at) ?? "" })}
          />
        </FormControl>
      )}
    </>
  );
}
