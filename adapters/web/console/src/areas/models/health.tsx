import { Badge, Text } from "@mantine/core";
import { useLocal } from "../../shared/i18n/local.ts";
import { timeOf } from "../../shared/ui/common.tsx";
import type { Health } from "./api.ts";
import { type TextKey, useTexts } from "./texts.ts";

const COLORS = { healthy: "teal", cooling: "orange", exhausted: "red", disabled: "gray" } as const;
const NAMES: Readonly<Record<Health["state"], TextKey>> = {
  healthy: "healthy",
  cooling: "cooling",
  exhausted: "exhausted",
  disabled: "disabled",
};

const LEFT_OUT = { tool: "leftOutTool", tools: "leftOutTools", field: "leftOutField" } as const;

/** How a model did lately: nothing of it is said while it is well and was never asked. */
export function HealthBadge({ health }: { readonly health: Health }) {
  const { t, language } = useTexts();
  const { state, last_success_at, cooldown_until } = health;
  if (state === "disabled" || (state === "healthy" && !last_success_at)) return null;
  const until = cooldown_until ? ` · ${t("until", { time: timeOf(cooldown_until, language) })}` : "";
  return (
    <Badge variant="light" color={COLORS[state]} data-testid="model-health">
      {t(NAMES[state])}
      {until}
    </Badge>
  );
}

/** Why it failed last, and what it has used. */
export function HealthFacts({ health }: { readonly health: Health }) {
  const { t } = useTexts();
  const inMine = useLocal();
  const { last_error, state, token_usage, left_out } = health;
  const used = token_usage.weekly > 0 ? t("used", { count: token_usage.daily, weekly: token_usage.weekly }) : "";
  const why = state !== "healthy" && last_error ? inMine(last_error.said) : "";
  const without = left_out.map(({ kind, name, detail }) => t(LEFT_OUT[kind], { name, why: detail }));
  const said = [used, why, ...without].filter(Boolean).join(" · ");
  if (said === "") return null;
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      {said}
    </Text>
  );
}
