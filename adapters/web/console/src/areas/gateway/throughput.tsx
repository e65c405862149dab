import { SimpleGrid, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { gateway, type Minute } from "../../shared/api/gateway.ts";
import { durationOf } from "../../shared/i18n/durations.ts";
import { Bars } from "../../shared/ui/bars.tsx";
import { Loaded } from "../../shared/ui/common.tsx";
import { useTexts } from "./texts.ts";

const STEP = 5;
const OFTEN = 10_000;
const SECOND_MS = 1_000;
type Figure = Exclude<keyof Minute, "at">;

/** The last hour: what came in and went out, and how long it took. */
export function Throughput() {
  const { t } = useTexts();
  const minutes = useQuery({
    queryKey: ["gateway", "minutes"],
    queryFn: async () => (await gateway.minutes()).items,
    refetchInterval: OFTEN,
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
  const steps = Array.from({ length: Math.ceil(minutes.length / STEP) }, (_, index) =>
    minutes.slice(index * STEP, (index + 1) * STEP),
  );
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const labels = steps.map(([first]) => time.format(new Date(first?.at ?? 0)));
  const sums = (figure: Figure) => steps.map((step) => step.reduce((sum, minute) => sum + minute[figure], 0));
  const worst = (figure: Figure) => steps.map((step) => Math.max(0, ...step.map((minute) => minute[figure])));
  const most = (figure: Figure) => durationOf(Math.max(0, ...minutes.map((minute) => minute[figure])), language);
  const slowest = worst("turn_p99_ms");
  const isLong = Math.max(0, ...slowest) >= SECOND_MS;
  const isQuiet = minutes.every(({ messages_in, answers_out, turns }) => messages_in + answers_out + turns === 0);
  if (isQuiet) return <Text c="dimmed">{t("quietHour")}</Text>;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
      <Bars
        label={t("messagesIn")}
        labels={labels}
        series={[{ name: t("messagesIn"), color: "var(--chart-second)", values: sums("messages_in") }]}
      />
      <Bars
        label={t("answersOut")}
        labels={labels}
        summary={`${t("answersOut")}: ${sums("answers_out").reduce((sum, one) => sum + one, 0)}`}
        series={[
          { name: t("answersOut"), color: "var(--chart)", values: sums("answers_out") },
          { name: t("givenUp"), color: "var(--mantine-color-red-6)", values: sums("given_up") },
        ]}
      />
      <Bars
        label={t("answerTime")}
        labels={labels}
        measure={isLong ? "second" : "millisecond"}
        summary={t("answerTimes", { p50: most("turn_p50_ms"), p99: most("turn_p99_ms"), ack: most("ack_p99_ms") })}
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
