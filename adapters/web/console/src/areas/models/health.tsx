import { Badge, Text } from "@mantine/core";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { formatTime } from "../../shared/ui/common.tsx";
import type { Health } from "./api.ts";
import { type TextKey, useTexts } from "./texts.ts";

const COLORS = { healthy: "teal", cooling: "orange", exhausted: "red", disabled: "gray" } as const;
const STATE_TEXTS: Readonly<Record<Health["state"], TextKey>> = {
  healthy: "healthy",
  cooling: "cooling",
  exhausted: "exhausted",
  disabled: "disabled",
};

const OMITTED_TEXTS = { tool: "omitTool", tools: "omitTools", field: "omitField" } as const;

/** The health of a model; renders nothing for a disabled model or a healthy one without a request. */
export function HealthBadge({ health }: { readonly health: Health }) {
  const { t, language } = useTexts();
  const { state, last_success_at, cooldown_until } = health;
  if (state === "disabled" || (state === "healthy" && !last_success_at)) return null;
  const until = cooldown_until ? ` · ${t("until", { time: formatTime(cooldown_until, language) })}` : "";
  return (
    <Badge variant="light" color={COLORS[state]} data-testid="model-health">
      {t(STATE_TEXTS[state])}
      {until}
    </Badge>
  );
}

/** The last error of a model, its token usage and omitted parameters. */
export function HealthFacts({ health }: { readonly health: Health }) {
  const { t } = useTexts();
  const localize = useLocalized();
  const { last_error, state, token_usage, left_out } = health;
  const usageText = token_usage.weekly > 0 ? t("used", { count: token_usage.daily, weekly: token_usage.weekly }) : "";
  const errorText = state !== "healthy" && last_error ? localize(last_error.said) : "";
  const omittedTexts = left_out.map(({ kind, name, detail }) => t(OMITTED_TEXTS[kind], { name, why: detail }));
  const details = [usageText, errorText, ...omittedTexts].filter(Boolean).join(" · ");
  if (details === "") return null;
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
      {details}
    </Text>
  );
}
