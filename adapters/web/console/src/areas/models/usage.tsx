import { SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMoney } from "../../shared/i18n/use-money.ts";
import { BarChart } from "../../shared/ui/chart/bar-chart.tsx";
import { models } from "./api.ts";
import { useTexts } from "./texts.ts";

/** Token usage of the last thirty days. */
export function ModelUsage() {
  const { t, language } = useTexts();
  const { data } = useQuery({ queryKey: ["model", "usage"], queryFn: models.getUsage });
  const { formatPrice } = useMoney();
  if (!data || data.total.requests === 0) return null;
  const days = data.history;
  const dayFormat = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", timeZone: "UTC" });
  const labels = days.map(({ date }) => dayFormat.format(new Date(date)));
  const total = new Intl.NumberFormat(language).format(data.total.total_tokens);
  const cost = formatPrice(data.total.cost ?? 0);
  return (
    <SimpleGrid cols={{ base: 1, sm: (data.total.cost ?? 0) > 0 ? 2 : 1 }} mt="lg" data-testid="model-usage">
      <BarChart
        label={t("monthlyTokens")}
        summary={`${t("monthlyTokens")}: ${total}`}
        labels={labels}
        series={[
          { name: t("tokensCached"), color: "var(--chart-third)", values: days.map((day) => day.cache_read_tokens) },
          {
            name: t("tokensIn"),
            color: "var(--chart)",
            values: days.map((day) => day.input_tokens - day.cache_read_tokens),
          },
          { name: t("tokensOut"), color: "var(--chart-second)", values: days.map((day) => day.output_tokens) },
        ]}
      />
      {(data.total.cost ?? 0) > 0 && (
        <BarChart
          label={t("monthlyCost")}
          summary={`${t("monthlyCost")}: ${cost}`}
          formatValue={formatPrice}
          labels={labels}
          series={[{ name: t("monthlyCost"), color: "var(--chart-second)", values: days.map((day) => day.cost ?? 0) }]}
        />
      )}
    </SimpleGrid>
  );
}
