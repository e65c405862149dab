import { Progress, Text } from "@mantine/core";
import { useMoney } from "../../shared/i18n/use-money.ts";
import type { Budget, BudgetUsage } from "./api.ts";
import { useTexts } from "./texts.ts";

/** Share of a budget from which its bar warns. */
const WARNING_SHARE = 0.8;

interface UsageBarsProps {
  readonly budget: Pick<Budget, "limit_tokens" | "limit_cost">;
  readonly usage: BudgetUsage;
}

/** Bars of what one target of a budget has left; without a limit, the amounts alone. */
export function UsageBars({ budget: { limit_tokens, limit_cost }, usage }: UsageBarsProps) {
  const { t, language } = useTexts();
  const { formatPrice } = useMoney();
  const { used_tokens, used_cost, reserved_tokens, reserved_cost } = usage;
  const formatCount = (count: number) => new Intl.NumberFormat(language).format(Math.round(count));
  return (
    <>
      {limit_tokens === null ? (
        <Text size="xs">{t("tokensUsed", { used: formatCount(used_tokens) })}</Text>
      ) : (
        <Bar
          label={t("tokensLeft", {
            left: formatCount(Math.max(0, limit_tokens - used_tokens - reserved_tokens)),
            limit: formatCount(limit_tokens),
          })}
          used={used_tokens}
          reserved={reserved_tokens}
          limit={limit_tokens}
        />
      )}
      {limit_cost === null ? (
        used_cost > 0 && <Text size="xs">{t("costUsed", { used: formatPrice(used_cost) })}</Text>
      ) : (
        <Bar
          label={t("costLeft", {
            left: formatPrice(Math.max(0, limit_cost - used_cost - reserved_cost)),
            limit: formatPrice(limit_cost),
          })}
          used={used_cost}
          reserved={reserved_cost}
          limit={limit_cost}
        />
      )}
      {reserved_tokens > 0 && (
        <Text size="xs" c="dimmed">
          {t("reserved", { count: formatCount(reserved_tokens) })}
        </Text>
      )}
    </>
  );
}

interface BarProps {
  readonly label: string;
  readonly used: number;
  readonly reserved: number;
  readonly limit: number;
}

/** A bar with the spent part, and the reserved part in a lighter shade. */
function Bar({ label, used, reserved, limit }: BarProps) {
  const toPercent = (amount: number) => Math.min(100, limit === 0 ? 100 : (amount / limit) * 100);
  const usedPercent = toPercent(used);
  const reservedPercent = Math.min(100 - usedPercent, limit === 0 ? 0 : (reserved / limit) * 100);
  const color = usedPercent >= 100 ? "red" : usedPercent >= WARNING_SHARE * 100 ? "orange" : "parley";
  return (
    <div>
      <Text size="xs">{label}</Text>
      <Progress.Root size="sm" mb={4}>
        <Progress.Section value={usedPercent} color={color} aria-label={label} data-testid="budget-bar" />
        <Progress.Section value={reservedPercent} color="gray" aria-hidden />
      </Progress.Root>
    </div>
  );
}
