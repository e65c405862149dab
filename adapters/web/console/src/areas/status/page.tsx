import { Alert, Button, Group, SegmentedControl, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMoney } from "../../shared/i18n/use-money.ts";
import factsCss from "../../shared/styles/facts.module.css";
import textCss from "../../shared/styles/text.module.css";
import { BarChart } from "../../shared/ui/chart/bar-chart.tsx";
import { Loaded } from "../../shared/ui/common.tsx";
import { useReload } from "../../shared/ui/feedback/reload.tsx";
import { RestartButton } from "../../shared/ui/feedback/restart.tsx";
import pageCss from "../../shared/ui/page/page.module.css";
import { PageHead } from "../../shared/ui/page/page.tsx";
import { type Period, type SystemStatus, system, type UsageSum } from "./api.ts";
import { Findings } from "./findings.tsx";
import { LogList } from "./log-list.tsx";
import { Machine } from "./machine.tsx";
import { Nodes } from "./nodes.tsx";
import { type TextKey, useTexts } from "./texts.ts";

const POLL_MS = 10_000;
const PHASE_BADGES = {
  starting: ["starting", "blue"],
  ready: ["ready", "parley"],
  degraded: ["degraded", "yellow"],
  failed: ["failedState", "red"],
  draining: ["draining", "yellow"],
} as const satisfies Record<string, readonly [TextKey, string]>;

export function StatusPage() {
  const { t } = useTexts();
  const status = useQuery({ queryKey: ["status"], queryFn: system.getStatus, refetchInterval: POLL_MS });
  return (
    <div className={pageCss.page}>
      <ReloadButtons />
      <Findings />
      <Title order={2} size="h4" mt="xl" mb="xs">
        {t("today")}
      </Title>
      <Loaded query={status}>{(found) => <StatusFacts status={found} />}</Loaded>
      <Machine />
      <Nodes />
      <MessageChart />
      <Title order={2} size="h4" mt="xl" mb="xs" id="log">
        {t("logs")}
      </Title>
      <LogList />
    </div>
  );
}

function ReloadButtons() {
  const { t } = useTexts();
  const { renderButton, notice } = useReload();
  return (
    <>
      <PageHead
        title={t("status")}
        actions={
          <>
            <Button variant="default" component="a" href="/api/docs" target="_blank" rel="noreferrer">
              {t("api")}
            </Button>
            {renderButton("reload-config")}
            {renderButton("reload-core")}
            <RestartButton />
          </>
        }
      />
      {notice}
    </>
  );
}

function StatusFacts({ status }: { readonly status: SystemStatus }) {
  const { t, language } = useTexts();
  const { formatPrice } = useMoney();
  const stats = useQuery({ queryKey: ["stats"], queryFn: system.getStatistics, refetchInterval: POLL_MS });
  const usage = useQuery({ queryKey: ["usage"], queryFn: system.getUsage, refetchInterval: 6 * POLL_MS });
  const formatNumber = (value: number | undefined) => (value === undefined ? "–" : value.toLocaleString(language));
  const formatTokens = (sum: UsageSum | undefined) =>
    formatNumber(sum?.total_tokens) + (sum?.cost ? ` · ${formatPrice(sum.cost)}` : "");
  const [phase, color] = PHASE_BADGES[status.phase];
  const facts: readonly (readonly [TextKey, React.ReactNode])[] = [
    ["version", status.version],
    ["uptime", formatUptime(status.uptime_s, language)],
    ["messagesToday", formatNumber(stats.data?.today_messages)],
    ["messagesTotal", formatNumber(stats.data?.total_messages)],
    ["sessionsActive", formatNumber(stats.data?.active_sessions)],
    ["tokensToday", formatTokens(usage.data?.today)],
    ["tokensMonth", formatTokens(usage.data?.month)],
  ];
  return (
    <>
      {status.error && (
        <Alert color="red" mb="sm" role="alert">
          {status.error}
        </Alert>
      )}
      <div className={factsCss.facts}>
        <div className={factsCss.fact}>
          <span className={textCss.meta}>{t("status")}</span>
          <b>
            <Text span fw={600} {...(status.phase !== "ready" && { c: `var(--mantine-color-${color}-light-color)` })}>
              {t(phase)}
            </Text>
          </b>
        </div>
        {facts.map(([label, value]) => (
          <div className={factsCss.fact} key={label}>
            <span className={textCss.meta}>{t(label)}</span>
            <b>{value}</b>
          </div>
        ))}
      </div>
    </>
  );
}

function MessageChart() {
  const { t, language } = useTexts();
  const [period, setPeriod] = useState<Period>("day");
  const series = useQuery({
    queryKey: ["stats", "messages", period],
    queryFn: () => system.getMessageSeries(period),
    placeholderData: (before) => before,
  });
  const usage = useQuery({ queryKey: ["usage"], queryFn: system.getUsage });
  const zone = usage.data?.range.timezone;
  const hasOtherTimeZone = zone !== undefined && zone !== new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <section aria-labelledby="messages">
      <Group justify="space-between" mt="xl" mb="xs">
        <Title order={2} size="h4" id="messages">
          {t("messages")}
        </Title>
        <SegmentedControl
          size="xs"
          value={period}
          onChange={setPeriod}
          data={(["day", "week", "month"] as const).map((value) => ({ value, label: t(value) }))}
        />
      </Group>
      <Loaded query={series}>
        {({ labels, user_values, assistant_values }) => (
          <BarChart
            label={t("messages")}
            labels={labels.map((label) => formatHour(label, language))}
            series={[
              { name: t("people"), color: "var(--chart-second)", values: user_values },
              { name: t("ai"), color: "var(--chart)", values: assistant_values },
            ]}
          />
        )}
      </Loaded>
      {hasOtherTimeZone && (
        <Text size="xs" c="dimmed" mt={4} data-testid="chart-zone">
          {t("chartTimeZone", { zone })}
        </Text>
      )}
    </section>
  );
}

/** Formats the label of an hour, such as `14:00`, for the language; other labels stay. */
function formatHour(label: string, language: string): string {
  const [, hour] = /^(\d\d):00$/.exec(label) ?? [];
  if (hour === undefined) return label;
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(2000, 0, 1, Number(hour)));
}

function formatUptime(seconds: number, language: string): string {
  const [value, unit] =
    seconds < 60
      ? [seconds, "second"]
      : seconds < 3600
        ? [seconds / 60, "minute"]
        : seconds < 86_400
          ? [seconds / 3600, "hour"]
          : [seconds / 86_400, "day"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(Math.floor(value));
}
