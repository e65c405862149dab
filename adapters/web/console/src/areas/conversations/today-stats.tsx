import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import factsCss from "../../shared/styles/facts.module.css";
import textCss from "../../shared/styles/text.module.css";
import startCss from "./start.module.css";
import { useTexts } from "./texts.ts";

const POLL_MS = 30_000;
const COMPACT_FROM = 100_000;

/** Formats a number for a small tile; large numbers are abbreviated. */
function formatCompact(value: number, language: string): string {
  const style = value < COMPACT_FROM ? {} : ({ notation: "compact", maximumFractionDigits: 1 } as const);
  return new Intl.NumberFormat(language, style).format(value);
}

/** Activity in four numbers: messages and people of today, conversations and chat tokens of the last 24 hours. */
export function TodayStats() {
  const { t, language } = useTexts();
  const { data } = useQuery({
    queryKey: ["stats", "today"],
    queryFn: () => parley.get("/api/stats"),
    refetchInterval: POLL_MS,
  });
  if (!data) return null;
  const facts = [
    [t("messagesToday"), data.today_messages],
    [t("activeSessions"), data.active_sessions],
    [t("peopleToday"), data.today_active_users],
    [t("tokensUsed"), data.token_usage.total_tokens],
  ] as const;
  return (
    <section aria-label={t("today")} className={startCss.startPart}>
      <h2>{t("today")}</h2>
      <dl className={factsCss.facts}>
        {facts.map(([name, value]) => (
          <div key={name} className={factsCss.fact} data-testid="today-number">
            <dd>
              <b title={value.toLocaleString(language)}>{formatCompact(value, language)}</b>
            </dd>
            <dt className={textCss.meta}>{name}</dt>
          </div>
        ))}
      </dl>
    </section>
  );
}
