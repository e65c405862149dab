import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parley } from "../../shared/api/client.ts";
import { formatShortTime } from "../../shared/ui/common.tsx";
import { useSessionName } from "../../shared/ui/text/use-session-name.ts";
import { toPlainPreview } from "./markdown/plain-text.ts";
import startCss from "./start.module.css";
import { useTexts } from "./texts.ts";
import { DeliveryFailureDot, useSessionsWithDeliveryFailures } from "./thread/delivery-failures.tsx";
import { usePendingDeletions } from "./thread/pending-deletion.ts";

const MAX_SESSIONS = 4;

export function RecentSessions() {
  const { t, language } = useTexts();
  const sessionName = useSessionName();
  const { data } = useQuery({
    queryKey: ["session", "recent"],
    queryFn: () => parley.get("/api/sessions", { query: { limit: MAX_SESSIONS } }),
  });
  const hiddenIds = usePendingDeletions();
  const undelivered = useSessionsWithDeliveryFailures();
  const recentSessions = (data?.items ?? []).filter(
    ({ id, last_message }) => last_message !== null && !hiddenIds.has(id),
  );
  if (recentSessions.length === 0) return null;
  return (
    <section aria-label={t("recent")} className={startCss.startPart}>
      <h2>{t("recent")}</h2>
      <div className={startCss.recent}>
        {recentSessions.map(({ id, name, last_message, last_message_at }) => (
          <Link key={id} to="/sessions/$sessionId" params={{ sessionId: id }} data-testid="recent-session">
            <Group gap={6} wrap="nowrap" justify="space-between">
              <Text size="sm" fw={600} truncate dir="auto">
                {sessionName({ name })}
              </Text>
              {undelivered.has(id) && <DeliveryFailureDot />}
            </Group>
            <Text size="xs" c="dimmed" lineClamp={2} dir="auto">
              {toPlainPreview(last_message?.preview ?? "")}
            </Text>
            <Text size="xs" c="dimmed">
              {formatShortTime(last_message_at, language)}
            </Text>
          </Link>
        ))}
      </div>
    </section>
  );
}
