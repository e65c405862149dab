import { Alert, Button, Group, SegmentedControl, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMoney } from "../../shared/i18n/money.ts";
import factsCss from "../../shared/styles/facts.module.css";
import textCss from "../../shared/styles/text.module.css";
import { Bars } from "../../shared/ui/bars.tsx";
import { Loaded } from "../../shared/ui/common.tsx";
import pageCss from "../../shared/ui/page.module.css";
import { PageHead } from "../../shared/ui/page.tsx";
import { useReload } from "../../shared/ui/reload.tsx";
import { RestartButton } from "../../shared/ui/restart.tsx";
import { type Period, type SystemStatus, system, type UsageSum } from "./api.ts";
import { Findings } from "./findings.tsx";
import { Logs } from "./logs.tsx";
import { Machine } from "./machine.tsx";
import { Nodes } from "./nodes.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const OFTEN = 10_000;
const PHASES = {
  starting: ["starting", "blue"],
  ready: ["ready", "parley"],
  degraded: ["degraded", "yellow"],
  failed: ["failedState", "red"],
  draining: ["draining", "yellow"],
} as const satisfies Record<string, readonly [TextKey, string]>;

export function StatusPage() {
  const { t } = useTexts();
  const status = useQuery({ queryKey: ["status"], queryFn: system.status, refetchInterval: OFTEN });
  return (
    <div className={pageCss.page}>
      <Reloads />
      <Findings />
      <Title order={2} size="h4" mt="xl" mb="xs">
        {t("today")}
      </Title>
      <Loaded query={status}>{(found) => <Facts status={found} />}</Loaded>
      <Machine />
      <Nodes />
      <Messages />
      <Title order={2} size="h4" mt="xl" mb="xs" id="log">
        {t("logs")}
      </Title>
      <Logs />
    </div>
  );
}

function Reloads() {
  const { t } = useTexts();
  const { button, told } = useReload();
  return (
    <>
      <PageHead
        title={t("status")}
        actions={
          <>
            <Button variant="default" component="a" href="/api/docs" target="_blank" rel="noreferrer">
              {t("api")}
            </Button>
            {button("reload-config")}
            {button("reload-core")}
            <RestartButton />
          </>
        }
      />
      {told}
    </>
  );
}

function Facts({ status }: { readonly status: SystemStatus }) {
  const { t, language } = useTexts();
  const { priceOf } = useMoney();
  const stats = useQuery({ queryKey: ["stats"], queryFn: system.statistics, refetchInterval: OFTEN });
  const usage = useQuery({ queryKey: ["usage"], queryFn: system.usage, refetchInterval: 6 * OFTEN });
  const number = (value: number | undefined) => (value === undefined ? "–" : value.toLocaleString(language));
  const tokens = (sum: UsageSum | undefined) =>
    number(sum?.total_tokens) + (sum?.cost ? ` · ${priceOf(sum.cost)}` : "");
  const [phase, color] = PHASES[status.phase];
  const facts: readonly (readonly [TextKey, React.ReactNode])[] = [
    ["version", status.version],
    ["uptime", durationOf(status.uptime_s, language)],
    ["messagesToday", number(stats.data?.today_messages)],
    ["messagesTotal", number(stats.data?.total_messages)],
    ["sessionsActive", number(stats.data?.active_sessions)],
    ["tokensToday", tokens(usage.data?.today)],
    ["tokensMonth", tokens(usage.data?.month)],
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

function Messages() {
  const { t, language } = useTexts();
  const [period, setPeriod] = useState<Period>("day");
  const series = useQuery({
    queryKey: ["stats", "messages", period],
    queryFn: () => system.messages(period),
    placeholderData: (before) => before,
  });
  const usage = useQuery({ queryKey: ["usage"], queryFn: system.usage });
  const zone = usage.data?.range.timezone;
  const isElsewhere = zone !== undefined && zone !== new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <section aria-labelledby="messages">
      <Group justify="space-between" mt="xl" mb="xs">
        <Title order={2} size="h4" id="messages">
          {t("messages")}
        </Title>
        <SegmentedControl
          size="xs"
          value={period}
          onChange={(value) => setPeriod(value as Period)}
          data={(["day", "week", "month"] as const).map((value) => ({ value, label: t(value) }))}
        />
      </Group>
      <Loaded query={series}>
        {({ labels, user_values, assistant_values }) => (
          <Bars
            label={t("messages")}
            labels={labels.map((label) => hourOf(label, language))}
            series={[
              { name: t("people"), color: "var(--chart-second)", values: user_values },
              { name: t("ai"), color: "var(--chart)", values: assistant_values },
            ]}
          />
        )}
      </Loaded>
      {isElsewhere && (
        <Text size="xs" c="dimmed" mt={4} data-testid="chart-zone">
          {t("hoursOf", { zone })}
        </Text>
      )}
    </section>
  );
}

/** The hour of a day's bar as the language writes it; days stay as they are. */
function hourOf(label: string, language: string): string {
  const [, hour] = /^(\d\d):00$/.exec(label) ?? [];
  if (hour === undefined) return label;
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(new Date(2000, 0, 1, Number(hour)));
}

function durationOf(seconds: number, language: string): string {
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
