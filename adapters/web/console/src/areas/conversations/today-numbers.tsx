import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { useTexts } from "./texts.ts";

const OFTEN = 30_000;

/** What went on today, in four numbers. */
export function TodayNumbers() {
  const { t, language } = useTexts();
  const { data } = useQuery({
    queryKey: ["stats", "today"],
    queryFn: () => parley.get("/api/stats"),
    refetchInterval: OFTEN,
  });
  if (!data) return null;
  const facts = [
    [t("messagesToday"), data.today_messages],
    [t("activeSessions"), data.active_sessions],
    [t("peopleToday"), data.today_active_users],
    [t("tokensUsed"), data.token_usage.total_tokens],
  ] as const;
  return (
    <section aria-label={t("today")} className="start-part">
      <h2>{t("today")}</h2>
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact" data-testid="today-number">
            <dd>
              <b>{value.toLocaleString(language)}</b>
            </dd>
            <dt className="meta">{name}</dt>
          </div>
        ))}
      </dl>
    </section>
  );
}
