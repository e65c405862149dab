import { Button, Group, NativeSelect, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { query } from "../../shared/api/client.ts";
import { serviceNow } from "../../shared/api/service-clock.ts";
import { isChinese } from "../../shared/i18n/i18n.ts";
import eventListCss from "../../shared/styles/event-list.module.css";
import { Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import { TimeInput } from "../../shared/ui/time-input.tsx";
import { system } from "./api.ts";
import logCss from "./log.module.css";
import { LogCleanUp } from "./log-clean-up.tsx";
import { EVERYTHING, type LogChoice, queryOf, type RANGES } from "./log-filter.ts";
import { LogEntry } from "./log-line.tsx";
import { englishOf } from "./log-texts.ts";
import { type TextKey, useTexts } from "./texts.ts";
import { useFollowedLogs } from "./use-followed-logs.ts";

const STEP = 100;
const LEVELS = ["debug", "info", "warning", "error"] as const;
const RANGE_NAMES: Readonly<Record<keyof typeof RANGES, TextKey>> = {
  any: "anyTime",
  quarter: "lastQuarter",
  hour: "lastHour",
  day: "lastDay",
  week: "lastWeek",
  own: "ownTime",
};

/** What the service wrote, newest first. */
export function Logs() {
  const { t } = useTexts();
  // Who comes from a plugin looks for its lines.
  const { source } = useSearch({ strict: false }) as { readonly source?: string };
  const [choice, setChoice] = useState({ ...EVERYTHING, ...(source && { source }) });
  const [isFollowing, setFollowing] = useState(true);
  // What is typed is asked for when the typing rests.
  const [q] = useDebouncedValue(choice.q.trim(), 300);
  const asked = { ...choice, q };
  const says = isChinese() ? englishOf(q) : "";
  const longer = useLonger(STEP);
  useFollowedLogs(isFollowing);
  const logs = useQuery({
    queryKey: ["logs", asked, says, longer.limit],
    queryFn: () => system.logs({ ...queryOf(asked, serviceNow(), says), limit: longer.limit }),
    placeholderData: keepPreviousData,
  });
  const choose = (change: Partial<LogChoice>) => {
    setChoice((before) => ({ ...before, ...change }));
    longer.restart();
  };
  return (
    <section aria-labelledby="log">
      <Filters choice={choice} choose={choose} />
      <Group justify="space-between" gap="xs" mb="xs">
        <Switch
          size="sm"
          label={t("follow")}
          checked={isFollowing}
          onChange={({ currentTarget }) => setFollowing(currentTarget.checked)}
          data-testid="follow-log"
        />
        <Group gap="xs">
          <LogCleanUp />
          <Button
            component="a"
            href={`/api/logs/download?${query({ ...queryOf(asked, serviceNow(), says) })}`}
            download
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            data-testid="download-log"
          >
            {t("downloadLog")}
          </Button>
        </Group>
      </Group>
      <Loaded query={logs}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t("noLogs")}
            </Text>
          ) : (
            <>
              <ul className={`${logCss.log} ${eventListCss.lines}`} aria-labelledby="log">
                {items.map((row) => (
                  <LogEntry key={row.id} row={row} />
                ))}
              </ul>
              <ShowMore {...longer} shown={items.length} total={total} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

interface FiltersProps {
  readonly choice: LogChoice;
  readonly choose: (change: Partial<LogChoice>) => void;
}

function Filters({ choice, choose }: FiltersProps) {
  const { t } = useTexts();
  const status = useQuery({ queryKey: ["status"], queryFn: system.status });
  const plugins = (status.data?.packages ?? []).map(({ name }) => name).toSorted();
  const sources = [...new Set(["host", "api", ...plugins, choice.source].filter((one) => one !== ""))];
  const changed =
    (key: keyof LogChoice) =>
    ({ currentTarget }: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      choose({ [key]: currentTarget.value });
  const time = (key: "since" | "until") => (
    <TimeInput kind="moment" size="xs" aria-label={t(key)} value={choice[key]} put={(at) => choose({ [key]: at })} />
  );
  return (
    <Group mb="xs" gap="xs">
      <TextInput
        size="xs"
        style={{ flex: "1 1 12rem" }}
        aria-label={t("searchLogs")}
        placeholder={t("searchLogs")}
        value={choice.q}
        maxLength={200}
        onChange={changed("q")}
      />
      <NativeSelect
        size="xs"
        aria-label={t("level")}
        value={choice.level}
        onChange={changed("level")}
        data={LEVELS.map((value) => ({ value, label: t(value) }))}
      />
      <NativeSelect
        size="xs"
        aria-label={t("writtenBy")}
        value={choice.source}
        onChange={changed("source")}
        data={[{ value: "", label: t("anySource") }, ...sources]}
        data-testid="log-source"
      />
      <NativeSelect
        size="xs"
        aria-label={t("logTime")}
        value={choice.range}
        onChange={changed("range")}
        data={Object.entries(RANGE_NAMES).map(([value, name]) => ({ value, label: t(name) }))}
        data-testid="log-range"
      />
      {choice.range === "own" && (
        <>
          {time("since")}
          {time("until")}
        </>
      )}
    </Group>
  );
}
