import { SimpleGrid, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { gateway, type Minute } from "../../shared/api/gateway.ts";
import { formatDuration } from "../../shared/i18n/format-duration.ts";
import { BarChart } from "../../shared/ui/chart/bar-chart.tsx";
import { Loaded } from "../../shared/ui/common.tsx";
import { useTexts } from "./texts.ts";

const MINUTES_PER_BAR = 5;
const POLL_MS = 10_000;
const SECOND_MS = 1_000;
type MinuteField = Exclude<keyof Minute, "at">;

/** Throughput of the last hour: received and sent messages, and latency. */
export function Throughput() {
  const { t } = useTexts();
  const minutes = useQuery({
    queryKey: ["gateway", "minutes"],
    queryFn: async () => (await gateway.listMinutes()).items,
    refetchInterval: POLL_MS,
  });
  return (
    <section aria-labelledby="throughput">
      <Title order={2} size="h4" id="throughput" mt="xl" mb="xs">
        {t("throughput")}
      </Title>
      <Loaded query={minutes}>{(items) => <Charts minutes={items} />}</Loaded>
    </section>
  );
}

function Charts({ minutes }: { readonly minutes: readonly Minute[] }) {
  const { t, language } = useTexts();
  const steps = Array.from({ length: Math.ceil(minutes.length / MINUTES_PER_BAR) }, (_, index) =>
    minutes.slice(index * MINUTES_PER_BAR, (index + 1) * MINUTES_PER_BAR),
  );
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const labels = steps.map(([first]) => time.format(new Date(first?.at ?? 0)));
  const toSums = (field: MinuteField) => steps.map((step) => step.reduce((sum, minute) => sum + minute[field], 0));
  const toMaxima = (field: MinuteField) => steps.map((step) => Math.max(0, ...step.map((minute) => minute[field])));
  const formatMaximum = (field: MinuteField) =>
    formatDuration(Math.max(0, ...minutes.map((minute) => minute[field])), language);
  const slowest = toMaxima("turn_p99_ms");
  const isLong = Math.max(0, ...slowest) >= SECOND_MS;
  const isQuiet = minutes.every(({ messages_in, answers_out, turns }) => messages_in + answers_out + turns === 0);
  if (isQuiet) return <Text c="dimmed">{t("quietHour")}</Text>;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
      <BarChart
        label={t("messagesIn")}
        labels={labels}
        series={[{ name: t("messagesIn"), color: "var(--chart-second)", values: toSums("messages_in") }]}
      />
      <BarChart
        label={t("answersOut")}
        labels={labels}
        summary={`${t("answersOut")}: ${toSums("answers_out").reduce((sum, one) => sum + one, 0)}`}
        series={[
          { name: t("answersOut"), color: "var(--chart)", values: toSums("answers_out") },
          { name: t("deadLetters"), color: "var(--mantine-color-red-6)", values: toSums("given_up") },
        ]}
      />
      <BarChart
        label={t("answerTime")}
        labels={labels}
        measure={isLong ? "second" : "millisecond"}
        summary={t("answerTimes", {
          p50: formatMaximum("turn_p50_ms"),
          p99: formatMaximum("turn_p99_ms"),
          ack: formatMaximum("ack_p99_ms"),
        })}
        series={[
          {
            name: t("answerTime"),
            color: "var(--chart)",
            values: isLong ? slowest.map((ms) => ms / SECOND_MS) : slowest,
          },
        ]}
      />
    </SimpleGrid>
  );
}
