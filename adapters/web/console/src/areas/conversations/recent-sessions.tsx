import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parley } from "../../shared/api/client.ts";
import { shortTimeOf } from "../../shared/ui/common.tsx";
import { useShownName } from "../../shared/ui/shown-name.ts";
import { useDoomed } from "./doomed.ts";
import { plainPreview } from "./plain-text.ts";
import startCss from "./start.module.css";
import { useTexts } from "./texts.ts";
import { UndeliveredDot, useUndeliveredSessions } from "./undelivered.tsx";

const MOST = 4;

/** The conversations that were held last. */
export function RecentSessions() {
  const { t, language } = useTexts();
  const nameOf = useShownName();
  const { data } = useQuery({
    queryKey: ["session", "recent"],
    queryFn: () => parley.get("/api/sessions", { query: { limit: MOST } }),
  });
  const doomed = useDoomed();
  const undelivered = useUndeliveredSessions();
  const said = (data?.items ?? []).filter(({ id, last_message }) => last_message !== null && !doomed.has(id));
  if (said.length === 0) return null;
  return (
    <section aria-label={t("recent")} className={startCss.startPart}>
      <h2>{t("recent")}</h2>
      <div className={startCss.recent}>
        {said.map(({ id, name, last_message, last_message_at }) => (
          <Link key={id} to="/sessions/$sessionId" params={{ sessionId: id }} data-testid="recent-session">
            <Group gap={6} wrap="nowrap" justify="space-between">
              <Text size="sm" fw={600} truncate dir="auto">
                {nameOf({ name })}
              </Text>
              {undelivered.has(id) && <UndeliveredDot />}
            </Group>
            <Text size="xs" c="dimmed" lineClamp={2} dir="auto">
              {plainPreview(last_message?.preview ?? "")}
            </Text>
            <Text size="xs" c="dimmed">
              {shortTimeOf(last_message_at, language)}
            </Text>
          </Link>
        ))}
      </div>
    </section>
  );
}
