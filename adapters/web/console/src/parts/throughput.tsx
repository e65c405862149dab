import { SimpleGrid, Title } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { gateway } from "../api/gateway.ts";
import { useTexts } from "../i18n.ts";
import { useMinute } from "../live/use-minute.ts";
import { Bars } from "./bars.tsx";
import { Failure } from "./common.tsx";

const STEP_MS = 5 * 60_000;
const STEPS = 12;
const OFTEN = 10_000;

/** How many messages came in, and how many answers went out, in the last hour. */
export function Throughput() {
  const { t, language } = useTexts();
  const newest = Math.floor(useMinute() / STEP_MS) * STEP_MS;
  const starts = Array.from({ length: STEPS }, (_, index) => newest - (STEPS - 1 - index) * STEP_MS);
  const count = (status: string) =>
    starts.map((start) => ({
      queryKey: ["gateway", "count", status, start],
      queryFn: async () => {
        const since = new Date(start).toISOString();
        const until = new Date(start + STEP_MS).toISOString();
        return (await gateway.events({ status, since, until, limit: 1 })).total;
      },
      // What is over does not change any more, apart from its last rows that are still being written.
      ...(start >= newest - STEP_MS
        ? { refetchInterval: OFTEN }
        : { staleTime: Number.POSITIVE_INFINITY, refetchInterval: false as const }),
      retry: false,
    }));
  const received = useQueries({ queries: count("received") });
  const delivered = useQueries({ queries: count("delivered") });
  const built = useQueries({ queries: count("built") });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
  const labels = starts.map((start) => time.format(new Date(start)));
  const failed = [...received, ...delivered, ...built].find(({ isError }) => isError);
  return (
    <section aria-labelledby="throughput">
      <Title order={2} size="h4" id="throughput" mt="xl" mb="xs">
        {t("throughput")}
      </Title>
      {failed ? (
        <Failure error={failed.error} />
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <Bars
            label={t("messagesIn")}
            labels={labels}
            series={[
              {
                name: t("messagesIn"),
                color: "var(--mantine-color-parley-4)",
                values: received.map(({ data }) => data ?? 0),
              },
            ]}
          />
          <Bars
            label={t("answersOut")}
            labels={labels}
            series={[
              {
                name: t("answersOut"),
                color: "var(--mantine-color-parley-7)",
                // What the caller of a request gets as its answer is never delivered apart.
                values: delivered.map(({ data }, index) => (data ?? 0) + (built[index]?.data ?? 0)),
              },
            ]}
          />
        </SimpleGrid>
      )}
    </section>
  );
}
