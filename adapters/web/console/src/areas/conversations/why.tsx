import { Badge, Group, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { isChinese } from "../../shared/i18n/i18n.ts";
import { moodText } from "../../shared/i18n/moods.ts";
import textCss from "../../shared/styles/text.module.css";
import { Loaded } from "../../shared/ui/common.tsx";
import type { Speaker } from "./speaker.tsx";
import { useTexts } from "./texts.ts";
import { CHINESE_PLANS } from "./why-names.ts";

interface Reason {
  readonly field: string;
  readonly because: readonly string[];
}

interface WhyProps {
  readonly speaker: Speaker;
  /** Of the answer that is asked about. */
  readonly traceId: string;
}

/** How the character took the last message: what it heard and what that moved. Nothing for an answer before the last one. */
export function Why({ speaker: { characterId, sessionId }, traceId }: WhyProps) {
  const { t } = useTexts();
  const found = useQuery({
    queryKey: ["latest-turn", characterId, sessionId, traceId],
    queryFn: () =>
      parley.get("/api/characters/{character_id}/debug/latest-turn", {
        path: { character_id: characterId },
        query: { session_id: sessionId },
      }),
  });
  return (
    <Loaded query={found}>
      {({ turn }) => {
        if (turn?.trace_id !== traceId) return null;
        const { plan, signals, state_before: before, state_after: after } = turn;
        const { reasons = [], relationship_deltas = {} } = plan as {
          readonly reasons?: readonly Reason[];
          readonly relationship_deltas?: Readonly<Record<string, number>>;
        };
        const heard = (signals.detected_keywords ?? []) as readonly string[];
        const moved = Object.entries(relationship_deltas).filter(([, by]) => by !== 0);
        return (
          <div data-testid="why">
            <Title order={3} size="h6" mt="sm" mb={2}>
              {t("explainCharacter")}
            </Title>
            <Group gap="xs">
              <Badge variant="default">{moodText(before.mood)}</Badge>→
              <Badge variant="light">{moodText(after.mood)}</Badge>
              <Text size="sm" c="dimmed">
                {t("whyWanted", { intent: named(plan.intent), tone: named(plan.tone) })}
              </Text>
            </Group>
            <Part title={t("whyHeard")}>{heard.length > 0 ? heard.join(", ") : t("whyNothing")}</Part>
            {reasons.length > 0 && (
              <Part title={t("whyMoved")}>
                <ul className={textCss.plainList}>
                  {reasons.map(({ field, because }) => (
                    <li key={field}>{because.length > 0 ? `${named(field)}: ${because.join(", ")}` : named(field)}</li>
                  ))}
                </ul>
              </Part>
            )}
            {moved.length > 0 && (
              <Part title={t("whyRelationship")}>
                {moved.map(([name, by]) => `${named(name)} ${by > 0 ? "+" : ""}${by}`).join(", ")}
              </Part>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}

function named(word: unknown): string {
  const text = String(word ?? "");
  return (isChinese() && CHINESE_PLANS[text]) || text;
}

/** A titled part of an explanation. */
export function Part({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
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
