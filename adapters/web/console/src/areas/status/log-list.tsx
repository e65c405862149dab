import { Button, Group, NativeSelect, Switch, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toQueryString } from "../../shared/api/client.ts";
import { getServiceTime } from "../../shared/api/service-clock.ts";
import eventListCss from "../../shared/styles/event-list.module.css";
import { Loaded } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { TimeInput } from "../../shared/ui/form/time-input.tsx";
import { useSearchText } from "../../shared/ui/page/address.ts";
import { LoadMore } from "../../shared/ui/table/load-more.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { system } from "./api.ts";
import logCss from "./log.module.css";
import { LogCleanup } from "./log-cleanup.tsx";
import { LogEntry } from "./log-entry.tsx";
import { DEFAULT_FILTER, type LogFilter, type RANGES, toQuery } from "./log-filter.ts";
import { type TextKey, useTexts } from "./texts.ts";
import { useLogTail } from "./use-log-tail.ts";

const PAGE_SIZE = 100;
const LEVELS = ["debug", "info", "warning", "error"] as const;
const RANGE_TEXTS: Readonly<Record<keyof typeof RANGES, TextKey>> = {
  any: "anyTime",
  quarter: "lastQuarter",
  hour: "lastHour",
  day: "lastDay",
  week: "lastWeek",
  own: "ownTime",
};

/** The log of the service, newest first. */
export function LogList() {
  const { t } = useTexts();
  // A plugin links here with its id as the source.
  const source = useSearchText("source");
  const [filter, setFilter] = useState({ ...DEFAULT_FILTER, ...(source && { source }) });
  const [isFollowing, setFollowing] = useState(true);
  // The query runs after typing has paused.
  const [q] = useDebouncedValue(filter.q.trim(), 300);
  const params = { ...filter, q };
  useLogTail(isFollowing);
  const logs = usePagedList({
    queryKey: ["logs", params],
    read: (page) => system.listLogs({ ...toQuery(params, getServiceTime()), ...page }),
    getId: ({ id }) => String(id),
    pageSize: PAGE_SIZE,
  });
  const onChange = (change: Partial<LogFilter>) => setFilter((before) => ({ ...before, ...change }));
  return (
    <section aria-labelledby="log">
      <LogFilters filter={filter} onChange={onChange} />
      <Group justify="space-between" gap="xs" mb="xs">
        <Switch
          size="sm"
          label={t("follow")}
          checked={isFollowing}
          onChange={({ currentTarget }) => setFollowing(currentTarget.checked)}
          data-testid="follow-log"
        />
        <Group gap="xs">
          <LogCleanup />
          <Button
            component="a"
            href={`/api/logs/download?${toQueryString({ ...toQuery(params, getServiceTime()) })}`}
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
        {({ items }) =>
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
              <LoadMore list={logs} isEndless />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

interface LogFiltersProps {
  readonly filter: LogFilter;
  readonly onChange: (change: Partial<LogFilter>) => void;
}

function LogFilters({ filter, onChange }: LogFiltersProps) {
  const { t } = useTexts();
  const status = useQuery({ queryKey: ["status"], queryFn: system.getStatus });
  const plugins = (status.data?.packages ?? []).map(({ name }) => name).toSorted();
  const sources = [...new Set(["host", "api", ...plugins, filter.source].filter((one) => one !== ""))];
  const toChangeHandler =
    (key: keyof LogFilter) =>
    ({ currentTarget }: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      onChange({ [key]: currentTarget.value });
  const renderTime = (key: "since" | "until") => (
    <TimeInput
      kind="moment"
      size="xs"
      aria-label={t(key)}
      value={filter[key]}
      onChange={(at) => onChange({ [key]: at })}
    />
  );
  return (
    <Group mb="xs" gap="xs">
      <TextInput
        size="xs"
        style={{ flex: "1 1 12rem" }}
        aria-label={t("searchLogs")}
        placeholder={t("searchLogs")}
        value={filter.q}
        maxLength={200}
        onChange={toChangeHandler("q")}
      />
      <NativeSelect
        size="xs"
        aria-label={t("level")}
        value={filter.level}
        onChange={toChangeHandler("level")}
        data={LEVELS.map((value) => ({ value, label: t(value) }))}
      />
      <NativeSelect
        size="xs"
        aria-label={t("writtenBy")}
        value={filter.source}
        onChange={toChangeHandler("source")}
        data={[{ value: "", label: t("allSources") }, ...sources]}
        data-testid="log-source"
      />
      <NativeSelect
        size="xs"
        aria-label={t("logTime")}
        value={filter.range}
        onChange={toChangeHandler("range")}
        data={Object.entries(RANGE_TEXTS).map(([value, name]) => ({ value, label: t(name) }))}
        data-testid="log-range"
      />
      {filter.range === "own" && (
        <>
          {renderTime("since")}
          {renderTime("until")}
        </>
      )}
    </Group>
  );
}
