import { Badge, Group, Progress, SimpleGrid, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../../../shared/api/client.ts";
import { formatPerson } from "../../../shared/i18n/format-person.ts";
import { formatMood } from "../../../shared/i18n/moods.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { useTexts } from "../texts.ts";
import relationshipStateCss from "./relationship-state.module.css";
import { type Mood, RELATIONSHIP_COLORS, RELATIONSHIP_FIELDS, type Relationship } from "./state-fields.ts";
import { MoodForm, RelationshipForm } from "./state-forms.tsx";
import { StateTimeline } from "./state-timeline.tsx";

const CHARACTER_PATH = "/api/characters/{character_id}";
/** Id of the session with the starting values of new conversations. */
export const DEFAULT_SESSION_ID = "default";

interface RelationshipStateProps {
  readonly characterId: string;
  readonly sessionId: string;
}

/** The mood of a character in one conversation, and its relationship to that person. */
export function RelationshipState({ characterId, sessionId }: RelationshipStateProps) {
  const { t } = useTexts();
  const path = { character_id: characterId };
  const isDefault = sessionId === DEFAULT_SESSION_ID;
  const scope = isDefault ? { scope_id: DEFAULT_SESSION_ID } : { session_id: sessionId };
  const target = isDefault ? { target_id: DEFAULT_SESSION_ID } : { session_id: sessionId };
  const readState = () => parley.get(`${CHARACTER_PATH}/state`, { path, query: scope });
  const readRelationship = () => parley.get(`${CHARACTER_PATH}/relationships`, { path, query: target });
  const state = useQuery({
    queryKey: ["character_state", characterId, sessionId],
    queryFn: readState,
  });
  const relationship = useQuery({
    queryKey: ["character_relationship", characterId, sessionId],
    queryFn: readRelationship,
  });
  const saveState = (body: Mood, ifMatch: number | undefined) =>
    parley.put(`${CHARACTER_PATH}/state`, { path, query: scope, body, ifMatch });
  const saveRelationship = (body: Relationship, ifMatch: number | undefined) =>
    parley.put(`${CHARACTER_PATH}/relationships`, { path, query: target, body, ifMatch });
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Loaded query={state}>
          {(now) => (
            <section aria-label={t("state")} data-testid="character-state">
              <Group gap="xs" mb="xs" mih="1.75rem">
                <Title order={2} size="h5">
                  {t("state")}
                </Title>
                <Badge variant="light" size="lg" data-testid="mood">
                  {formatMood(now.mood)}
                </Badge>
                {!now.persisted && <NotStoredNotice />}
              </Group>
              <Meter name={t("mood_intensity")} share={now.mood_intensity} color="pink.6" />
              <Meter name={t("energy")} share={now.energy / 100} color="yellow.7" />
              <MoodForm now={now} read={readState} save={saveState} />
            </section>
          )}
        </Loaded>
        <Loaded query={relationship}>
          {(now) => (
            <section
              aria-label={t("relationship", { who: formatPerson(now.target_id) })}
              data-testid="character-relationship"
            >
              <Group gap="xs" mb="xs" mih="1.75rem">
                <Title order={2} size="h5">
                  {t("relationship", { who: formatPerson(now.target_id) })}
                </Title>
                {!now.persisted && <NotStoredNotice />}
              </Group>
              {RELATIONSHIP_FIELDS.map((name) => (
                <Meter key={name} name={t(name)} share={now[name] / 100} color={RELATIONSHIP_COLORS[name]} />
              ))}
              <RelationshipForm now={now} read={readRelationship} save={saveRelationship} />
            </section>
          )}
        </Loaded>
      </SimpleGrid>
      {!isDefault && <StateTimeline characterId={characterId} sessionId={sessionId} />}
    </>
  );
}

function NotStoredNotice() {
  const { t } = useTexts();
  return (
    <Text size="xs" c="dimmed">
      {t("notStored")}
    </Text>
  );
}

interface MeterProps {
  readonly name: string;
  /** 0 to 1. */
  readonly share: number;
  readonly color: string;
}

function Meter({ name, share, color }: MeterProps) {
  const percent = Math.round(share * 100);
  return (
    <div className={relationshipStateCss.meter}>
      <Text size="sm">{name}</Text>
      <Progress value={percent} color={color} size="lg" aria-label={name} />
      <Text size="sm" ta="right">
        {percent}
      </Text>
    </div>
  );
}
