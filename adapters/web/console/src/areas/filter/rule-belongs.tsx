import { Autocomplete, Checkbox, Group, SimpleGrid, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import textCss from "../../shared/styles/text.module.css";
import { At } from "../../shared/ui/form.tsx";
import { TimeInput } from "../../shared/ui/time-input.tsx";
import { allRules, filter, type RuleTimes } from "./api.ts";
import { useTexts } from "./texts.ts";
import { DAYS, weekdayOf } from "./times.ts";

export interface Belonging {
  readonly group?: string;
  readonly window?: RuleTimes | null;
}

interface RuleBelongsProps {
  readonly value: Belonging;
  readonly put: (patch: Belonging) => void;
}

/** The group a rule belongs to, and when it is applied. */
export function RuleBelongs({ value: { group = "", window = null }, put }: RuleBelongsProps) {
  const { t } = useTexts();
  const listing = useQuery({ queryKey: ["filter_rule"], queryFn: filter.list });
  const names = new Set(listing.data ? allRules(listing.data).flatMap((rule) => rule.group ?? []) : []);
  return (
    <Stack gap="sm">
      <At name="group">
        <Autocomplete
          label={t("groupOptional")}
          description={t("groupHint")}
          value={group}
          onChange={(next) => put({ group: next })}
          data={[...names]}
          data-testid="rule-group-name"
        />
      </At>
      <At name="window" label={t("atTimes")}>
        <Switch
          label={t("atTimes")}
          checked={window !== null}
          onChange={({ currentTarget }) => put({ window: currentTarget.checked ? {} : null })}
          data-testid="rule-at-times"
        />
      </At>
      {window && <Times value={window} put={(patch) => put({ window: withPatch(window, patch) })} />}
    </Stack>
  );
}

interface TimesProps {
  readonly value: RuleTimes;
  readonly put: (patch: RuleTimes) => void;
}

function Times({ value, put }: TimesProps) {
  const { t, language } = useTexts();
  const field = (name: "from" | "until" | "start" | "end", kind: "day" | "time") => (
    <At name={`window.${name}`}>
      <TimeInput
        kind={kind}
        label={t(`window_${name}`)}
        value={value[name] ?? ""}
        put={(at) => put({ [name]: at })}
        data-testid={`rule-${name}`}
      />
    </At>
  );
  return (
    <>
      <SimpleGrid cols={2} spacing="sm">
        {field("from", "day")}
        {field("until", "day")}
      </SimpleGrid>
      <At name="window.days">
        <Checkbox.Group
          label={t("window_days")}
          value={[...(value.days ?? [])]}
          onChange={(days) => put({ days: DAYS.filter((day) => days.includes(day)) })}
        >
          <Group gap="md" mt={6}>
            {DAYS.map((day) => (
              <Checkbox
                key={day}
                size="sm"
                value={day}
                label={weekdayOf(day, language)}
                aria-label={weekdayOf(day, language, "long")}
                data-testid={`rule-${day}`}
              />
            ))}
          </Group>
        </Checkbox.Group>
      </At>
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

/** What is left empty is left out. */
function withPatch(window: RuleTimes, patch: RuleTimes): RuleTimes {
  return Object.fromEntries(Object.entries({ ...window, ...patch }).filter(([, value]) => value.length > 0));
}
