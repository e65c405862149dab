import { Badge, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../../../shared/api/client.ts";
import { isChinese } from "../../../shared/i18n/i18n.ts";
import { formatMood } from "../../../shared/i18n/moods.ts";
import textCss from "../../../shared/styles/text.module.css";
import { Loaded } from "../../../shared/ui/common.tsx";
import { useTexts } from "../texts.ts";
import type { Speaker } from "../thread/speaker.tsx";
import { CHINESE_PLAN_NAMES } from "./plan-names.ts";

interface MoodExplanationProps {
  readonly speaker: Speaker;
  readonly traceId: string;
}

/** The effect of a reply on the character's mood. Only the latest turn is known; renders nothing for an earlier reply. */
export function MoodExplanation({ speaker: { characterId, sessionId }, traceId }: MoodExplanationProps) {
  const { t } = useTexts();
  const query = useQuery({
    queryKey: ["latest-turn", characterId, sessionId, traceId],
    queryFn: () =>
      parley.get("/api/characters/{character_id}/debug/latest-turn", {
        path: { character_id: characterId },
        query: { session_id: sessionId },
      }),
  });
  return (
    <Loaded query={query}>
      {({ turn }) => {
        if (turn?.trace_id !== traceId) return null;
        const { plan, signals, state_before: before, state_after: after } = turn;
        const { reasons, relationship_deltas } = plan;
        const signalNames = signals.detected_keywords;
        const changes = Object.entries(relationship_deltas).filter(([, by]) => by !== 0);
        return (
          <div data-testid="why">
            <Title order={3} size="h6" mt="sm" mb={2}>
              {t("explainCharacter")}
            </Title>
            <Group gap="xs">
              <Badge variant="default">{formatMood(before.mood)}</Badge>→
              <Badge variant="light">{formatMood(after.mood)}</Badge>
              <Text size="sm" c="dimmed">
                {t("moodIntent", { intent: toPlanName(plan.intent), tone: toPlanName(plan.tone) })}
              </Text>
            </Group>
            <ExplanationSection title={t("moodSignals")}>
              {signalNames.length > 0 ? signalNames.join(", ") : t("noMoodSignals")}
            </ExplanationSection>
            {reasons.length > 0 && (
              <ExplanationSection title={t("moodReasons")}>
                <ul className={textCss.plainList}>
                  {reasons.map(({ field, because }) => (
                    <li key={field}>
                      {because.length > 0 ? `${toPlanName(field)}: ${because.join(", ")}` : toPlanName(field)}
                    </li>
                  ))}
                </ul>
              </ExplanationSection>
            )}
            {changes.length > 0 && (
              <ExplanationSection title={t("relationshipChanges")}>
                {changes.map(([name, by]) => `${toPlanName(name)} ${by > 0 ? "+" : ""}${by}`).join(", ")}
              </ExplanationSection>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function toPlanName(word: unknown): string {
  const text = String(word ?? "");
  return (isChinese() && CHINESE_PLAN_NAMES[text]) || text;
}

export function ExplanationSection({ title, children }: React.PropsWithChildren<{ readonly title: string }>) {
  return (
    <section>
      <Title order={3} size="h6" mt="sm" mb={2}>
        {title}
      </Title>
      <Text size="sm" component="div">
        {children}
      </Text>
    </section>
  );
}
