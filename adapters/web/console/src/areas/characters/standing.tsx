import { Badge, Group, Progress, SimpleGrid, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../../shared/api/client.ts";
import { moodText } from "../../shared/i18n/moods.ts";
import { personOf } from "../../shared/i18n/person.ts";
import { Loaded } from "../../shared/ui/common.tsx";
import { Held } from "../../shared/ui/held.tsx";
import { Past } from "./past.tsx";
import standingCss from "./standing.module.css";
import { BOND_COLORS, BONDS, type Bond, type Mood } from "./standing-fields.ts";
import { BondForm, MoodForm } from "./standing-forms.tsx";
import { useTexts } from "./texts.ts";

const one = "/api/characters/{character_id}";
/** Where new conversations begin. */
export const STARTING = "default";

interface StandingProps {
  readonly characterId: string;
  readonly session: string;
}

/** How a character feels in one conversation, and how it stands to whom it is with. */
export function Standing({ characterId, session }: StandingProps) {
  const { t } = useTexts();
  const path = { character_id: characterId };
  const isStart = session === STARTING;
  const scope = isStart ? { scope_id: STARTING } : { session_id: session };
  const target = isStart ? { target_id: STARTING } : { session_id: session };
  const readState = () => parley.get(`${one}/state`, { path, query: scope });
  const readBond = () => parley.get(`${one}/relationships`, { path, query: target });
  const state = useQuery({
    queryKey: ["character_state", characterId, session],
    queryFn: readState,
  });
  const bond = useQuery({
    queryKey: ["character_relationship", characterId, session],
    queryFn: readBond,
  });
  const saveState = (body: Partial<Mood>, seen: Seen) =>
    parley.put(`${one}/state`, { path, query: scope, body, ...seen });
  const saveBond = (body: Partial<Bond>, seen: Seen) =>
    parley.put(`${one}/relationships`, { path, query: target, body, ...seen });
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
                  {moodText(now.mood)}
                </Badge>
                {!now.persisted && <NotStored />}
              </Group>
              <Meter name={t("mood_intensity")} share={now.mood_intensity} color="pink.6" />
              <Meter name={t("energy")} share={now.energy / 100} color="yellow.7" />
              <Held latest={now} version={now.revision}>
                {(held, release) => (
                  <MoodForm
                    now={held}
                    read={readState}
                    release={release}
                    save={(body, over = held.revision) => saveState(body, { ifMatch: over }).then(release)}
                  />
                )}
              </Held>
            </section>
          )}
        </Loaded>
        <Loaded query={bond}>
          {(now) => (
            <section aria-label={t("relationship", { who: personOf(now.target_id) })} data-testid="character-bond">
              <Group gap="xs" mb="xs" mih="1.75rem">
                <Title order={2} size="h5">
                  {t("relationship", { who: personOf(now.target_id) })}
                </Title>
                {!now.persisted && <NotStored />}
              </Group>
              {BONDS.map((name) => (
                <Meter key={name} name={t(name)} share={now[name] / 100} color={BOND_COLORS[name]} />
              ))}
              <Held latest={now} version={now.revision}>
                {(held, release) => (
                  <BondForm
                    now={held}
                    read={readBond}
                    release={release}
                    save={(body, over = held.revision) => saveBond(body, { ifMatch: over }).then(release)}
                  />
                )}
              </Held>
            </section>
          )}
        </Loaded>
      </SimpleGrid>
      {!isStart && <Past characterId={characterId} session={session} />}
    </>
  );
}

interface Seen {
  readonly ifMatch?: number;
}

function NotStored() {
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
    <div className={standingCss.meter}>
      <Text size="sm">{name}</Text>
      <Progress value={percent} color={color} size="lg" aria-label={name} />
      <Text size="sm" ta="right">
        {percent}
      </Text>
    </div>
  );
}
