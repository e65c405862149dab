import { Autocomplete, Checkbox, Group, SimpleGrid, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import textCss from "../../shared/styles/text.module.css";
import { FormControl } from "../../shared/ui/form/form.tsx";
import { TimeInput } from "../../shared/ui/form/time-input.tsx";
import { filter, type RuleWindow, toRuleList } from "./api.ts";
import { DAYS, formatWeekday } from "./format-schedule.ts";
import { useTexts } from "./texts.ts";

export interface GroupAndWindow {
  readonly group?: string;
  readonly window?: RuleWindow | null;
}

interface RuleScheduleProps {
  readonly value: GroupAndWindow;
  readonly onChange: (patch: GroupAndWindow) => void;
}

/** The fields for the group of a rule and the times at which it applies. */
export function RuleSchedule({ value: { group = "", window = null }, onChange }: RuleScheduleProps) {
  const { t } = useTexts();
  const listing = useQuery({ queryKey: ["filter_rule"], queryFn: filter.list });
  const names = new Set(listing.data ? toRuleList(listing.data).flatMap((rule) => rule.group ?? []) : []);
  return (
    <Stack gap="sm">
      <FormControl name="group">
        <Autocomplete
          label={t("groupOptional")}
          description={t("groupHint")}
          value={group}
          onChange={(next) => onChange({ group: next })}
          data={[...names]}
          data-testid="rule-group-name"
        />
      </FormControl>
      <FormControl name="window" label={t("atTimes")}>
        <Switch
          label={t("atTimes")}
          checked={window !== null}
          onChange={({ currentTarget }) => onChange({ window: currentTarget.checked ? {} : null })}
          data-testid="rule-at-times"
        />
      </FormControl>
      {window && <WindowFields value={window} onChange={(patch) => onChange({ window: applyPatch(window, patch) })} />}
    </Stack>
  );
}

interface WindowFieldsProps {
  readonly value: RuleWindow;
  readonly onChange: (patch: RuleWindow) => void;
}

function WindowFields({ value, onChange }: WindowFieldsProps) {
  const { t, language } = useTexts();
  const field = (name: "from" | "until" | "start" | "end", kind: "day" | "time") => (
    <FormControl name={`window.${name}`}>
      <TimeInput
        kind={kind}
        label={t(`window_${name}`)}
        value={value[name] ?? ""}
        onChange={(at) => onChange({ [name]: at })}
        data-testid={`rule-${name}`}
      />
    </FormControl>
  );
  return (
    <>
      <SimpleGrid cols={2} spacing="sm">
        {field("from", "day")}
        {field("until", "day")}
      </SimpleGrid>
      <FormControl name="window.days">
        <Checkbox.Group
          label={t("window_days")}
          value={[...(value.days ?? [])]}
          onChange={(days) => onChange({ days: DAYS.filter((day) => days.includes(day)) })}
        >
          <Group gap="md" mt={6}>
            {DAYS.map((day) => (
              <Checkbox
                key={day}
                size="sm"
                value={day}
                label={formatWeekday(day, language)}
                aria-label={formatWeekday(day, language, "long")}
                data-testid={`rule-${day}`}
              />
            ))}
          </Group>
        </Checkbox.Group>
      </FormControl>
      <SimpleGrid cols={2} spacing="sm">
        {field("start", "time")}
        {field("end", "time")}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t("timesHint")}{" "}
        <Link to="/settings" className={textCss.inlineLink}>
          {t("timeZoneSetting")}
        </Link>
      </Text>
    </>
  );
}

/** Applies a patch and removes empty fields. */
function applyPatch(window: RuleWindow, patch: RuleWindow): RuleWindow {
  return Object.fromEntries(Object.entries({ ...window, ...patch }).filter(([, value]) => value.length > 0));
}
