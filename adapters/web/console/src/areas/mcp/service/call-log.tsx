import { Alert, Button, Code, Group, NativeSelect, Stack, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getServiceTime } from "../../../shared/api/service-clock.ts";
import { parseJson, stringifyJson } from "../../../shared/forms/json-text.ts";
import { toVisibleText } from "../../../shared/forms/untrusted-schema.ts";
import { formatDuration } from "../../../shared/i18n/format-duration.ts";
import { toText } from "../../../shared/json-object.ts";
import eventListCss from "../../../shared/styles/event-list.module.css";
import textCss from "../../../shared/styles/text.module.css";
import { TraceView } from "../../../shared/trace/trace.tsx";
import { Loaded } from "../../../shared/ui/common.tsx";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { LoadMore } from "../../../shared/ui/table/load-more.tsx";
import { usePagedList } from "../../../shared/ui/table/use-paged-list.ts";
import { type AuditRow, mcp } from "../api.ts";
import { type TextKey, useTexts } from "../texts.ts";
import { useFreshCalls } from "./use-fresh-calls.ts";

/** Poll interval; needed because live events are dropped at high rates. */
const POLL_MS = 30_000;
const HOUR_MS = 3_600_000;
const STATUSES = ["completed", "failed", "denied", "validation_failed", "confirmation_required"] as const;
const PERIODS = { "": "anyTime", 1: "lastHour", 24: "lastDay", 168: "lastWeek" } as const;

/** The calls of tools that change something, newest first. */
export function CallLog() {
  const { t } = useTexts();
  const [query, setQuery] = useState("");
  const [q] = useDebouncedValue(query.trim(), 300);
  const [status, setStatus] = useState("");
  const [hours, setHours] = useState("");
  const [opened, setOpened] = useState<AuditRow>();
  useFreshCalls();
  const service = useQuery({ queryKey: ["mcp_service"], queryFn: mcp.getService });
  const rows = usePagedList({
    queryKey: ["mcp_log", q, status, hours],
    read(page) {
      const since = hours === "" ? "" : new Date(getServiceTime() - Number(hours) * HOUR_MS).toISOString();
      return mcp.listCalls({ q, status, since, ...page });
    },
    getId: ({ id }) => id,
    refetchMs: POLL_MS,
    retry: false,
  });
  return (
    <section aria-label={t("mcpLog")}>
      <Text size="sm" c="dimmed" mb="sm">
        {t("callsHint")}
      </Text>
      {service.data?.audit_enabled === false && (
        <Alert color="yellow" mb="sm">
          {t("auditOff")}
        </Alert>
      )}
      <Group mb="sm" gap="xs">
        <TextInput
          size="sm"
          style={{ flex: "1 1 12rem" }}
          aria-label={t("findTool")}
          placeholder={t("findTool")}
          value={query}
          onChange={({ currentTarget }) => setQuery(currentTarget.value)}
          maxLength={200}
          data-testid="log-tool"
        />
        <NativeSelect
          size="sm"
          aria-label={t("callStatus")}
          value={status}
          onChange={({ currentTarget }) => setStatus(currentTarget.value)}
          data={[
            { value: "", label: t("anyStatus") },
            ...STATUSES.map((value) => ({ value, label: t(`call_${value}`) })),
          ]}
          data-testid="log-status"
        />
        <NativeSelect
          size="sm"
          aria-label={t("period")}
          value={hours}
          onChange={({ currentTarget }) => setHours(currentTarget.value)}
          data={Object.entries(PERIODS).map(([value, label]) => ({ value, label: t(label) }))}
          data-testid="log-period"
        />
      </Group>
      <Loaded query={rows}>
        {({ items }) => (
          <>
            {items.length === 0 ? (
              <Empty icon="tool" title={t("noCalls")} isSmall />
            ) : (
              <div className={eventListCss.lines}>
                {items.map((row) => (
                  <CallRow key={row.id} row={row} open={() => setOpened(row)} />
                ))}
              </div>
            )}
            <LoadMore list={rows} isEndless />
          </>
        )}
      </Loaded>
      <Dialog
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened?.tool_name ?? ""}
        size="lg"
      >
        {opened && <CallDetails row={opened} />}
      </Dialog>
    </section>
  );
}

function CallRow({ row, open }: { readonly row: AuditRow; readonly open: () => void }) {
  const { t, language } = useTexts();
  const { status, tool_name, error_message, metadata, created_at } = row;
  return (
    <UnstyledButton className={`${eventListCss.event} ${eventListCss.call}`} onClick={open} data-testid="call-row">
      <span className={textCss.meta}>{formatCallTime(created_at, language)}</span>
      <Text span size="sm" fw={500} {...toStatusColor(row)}>
        {formatStatus(status, t)}
      </Text>
      <Text span size="sm" fw={600}>
        {tool_name}
      </Text>
      <Text span size="sm" c="dimmed">
        {toVisibleText(error_message ?? metadata.params, 300)}
      </Text>
    </UnstyledButton>
  );
}

function CallDetails({ row }: { readonly row: AuditRow }) {
  const { t, language } = useTexts();
  const [showsTrace, setShowsTrace] = useState(false);
  const { status, trace_id, created_at, metadata, error_message, error_code } = row;
  const { params, summary, audience, transport, client, duration_ms, confirm_by } = metadata;
  const facts: readonly (readonly [TextKey, string])[] = [
    ["callStatus", [formatStatus(status, t), error_code].filter(Boolean).join(" · ")],
    ["period", formatCallTime(created_at, language)],
    [
      "callBy",
      [transport === "rest" ? t("byPerson") : formatAudience(toText(audience), t), toText(client)]
        .filter(Boolean)
        .join(" · "),
    ],
    ["approvedBy", confirm_by === "client" ? t("approvedByClient") : toText(confirm_by)],
    ["callDuration", typeof duration_ms === "number" ? formatDuration(duration_ms, language) : ""],
  ];
  return (
    <Stack gap="sm">
      <dl className={textCss.pairs}>
        {facts
          .filter(([, value]) => value !== "")
          .map(([label, value]) => (
            <div key={label}>
              <dt>{t(label)}</dt>
              <dd>{toVisibleText(value)}</dd>
            </div>
          ))}
      </dl>
      <LoggedText label="callParams" text={toText(params)} testId="call-params" />
      <LoggedText label="callResult" text={error_message ?? toText(summary)} testId="call-outcome" />
      {showsTrace && <TraceView id={trace_id} />}
      {/* A manual call belongs to no message. */}
      {!showsTrace && transport !== "rest" && (
        <Button
          size="compact-sm"
          variant="default"
          style={{ alignSelf: "flex-start" }}
          onClick={() => setShowsTrace(true)}
        >
          {t("wholeTrace")}
        </Button>
      )}
    </Stack>
  );
}

function LoggedText({
  label,
  text,
  testId,
}: {
  readonly label: TextKey;
  readonly text: string;
  readonly testId: string;
}) {
  const { t } = useTexts();
  const value = parseJson(text)?.value;
  const displayText =
    typeof value === "string" ? value : typeof value === "object" && value !== null ? stringifyJson(value) : text;
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {t(label)}
      </Text>
      <Code block className={textCss.answer} data-testid={testId}>
        {toVisibleText(displayText, 20_000) || "–"}
      </Code>
    </div>
  );
}

function formatStatus(status: string, t: (key: TextKey) => string): string {
  const known = (["called", ...STATUSES] as const).find((one) => one === status);
  return known ? t(`call_${known}`) : status;
}

function formatAudience(audience: string, t: (key: TextKey) => string): string {
  const known = (["ai", "mcp"] as const).find((one) => one === audience);
  return known ? t(`by_${known}`) : audience;
}

function toStatusColor({ status, level }: AuditRow): { readonly c?: string } {
  if (level === "info") return {};
  return { c: status === "failed" ? "red" : "yellow" };
}

function formatCallTime(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" }).format(new Date(iso));
}
