import {
  Badge,
  Button,
  Group,
  NativeSelect,
  NumberInput,
  Progress,
  SimpleGrid,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Character } from "../../shared/api/cards.ts";
import { ALL, parley } from "../../shared/api/client.ts";
import { moodText } from "../../shared/i18n/moods.ts";
import { Failure, Loaded, timeOf, useTried } from "../../shared/ui/common.tsx";
import { LineChart } from "./line-chart.tsx";
import { useTexts } from "./texts.ts";

const one = "/api/characters/{character_id}";
const BONDS = ["affection", "trust", "security", "familiarity", "dependency", "jealousy"] as const;
const MOODS = ["mood_intensity", "energy"] as const;
const COLORS = ["pink.6", "blue.6", "teal.6", "yellow.7", "grape.6", "red.6"] as const;
const STARTING = "default";

type Bond = Readonly<Record<(typeof BONDS)[number], number>>;
interface Mood {
  readonly mood: string;
  readonly mood_intensity: number;
  readonly energy: number;
}

/** How a character feels in a conversation and how it stands to people, now and over time. */
export function Feelings({ character: { id } }: { readonly character: Character }) {
  const { t } = useTexts();
  const sessions = useQuery({
    queryKey: ["session", "of", id],
    queryFn: () => parley.get("/api/sessions", { query: { character_id: id, ...ALL } }),
  });
  const [chosen, setChosen] = useState<string>();
  return (
    <Loaded query={sessions}>
      {({ items }) => {
        const session = chosen ?? items[0]?.id ?? STARTING;
        return (
          <>
            <NativeSelect
              label={t("conversation")}
              maw="24rem"
              mb="md"
              value={session}
              onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              data={[
                ...items.map(({ id: value, name }) => ({ value, label: name })),
                { value: STARTING, label: t("beginnings") },
              ]}
            />
            <Standing key={session} characterId={id} session={session} />
          </>
        );
      }}
    </Loaded>
  );
}

interface StandingProps {
  readonly characterId: string;
  readonly session: string;
}

function Standing({ characterId, session }: StandingProps) {
  const { t } = useTexts();
  const path = { character_id: characterId };
  const isStart = session === STARTING;
  const scope = isStart ? { scope_id: STARTING } : { session_id: session };
  const target = isStart ? { target_id: STARTING } : { session_id: session };
  const state = useQuery({
    queryKey: ["character_state", characterId, session],
    queryFn: () => parley.get(`${one}/state`, { path, query: scope }),
  });
  const bond = useQuery({
    queryKey: ["character_relationship", characterId, session],
    queryFn: () => parley.get(`${one}/relationships`, { path, query: target }),
  });
  const saveState = (body: Partial<Mood>) => parley.put(`${one}/state`, { path, query: scope, body });
  const saveBond = (body: Partial<Bond>) => parley.put(`${one}/relationships`, { path, query: target, body });
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Loaded query={state}>
          {(now) => (
            <section aria-label={t("state")} data-testid="character-state">
              <Group gap="xs" mb="xs">
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
              <MoodForm key={now.revision} now={now} save={saveState} />
            </section>
          )}
        </Loaded>
        <Loaded query={bond}>
          {(now) => (
            <section aria-label={t("relationship", { who: now.target_id })} data-testid="character-bond">
              <Group gap="xs" mb="xs">
                <Title order={2} size="h5">
                  {t("relationship", { who: now.target_id })}
                </Title>
                {!now.persisted && <NotStored />}
              </Group>
              {BONDS.map((name, index) => (
                <Meter key={name} name={t(name)} share={now[name] / 100} color={COLORS[index] ?? "gray.6"} />
              ))}
              <BondForm key={now.revision} now={now} save={saveBond} />
            </section>
          )}
        </Loaded>
      </SimpleGrid>
      {!isStart && <Past characterId={characterId} session={session} />}
    </>
  );
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
    <div className="meter">
      <Text size="sm">{name}</Text>
      <Progress value={percent} color={color} size="lg" aria-label={name} />
      <Text size="sm" ta="right">
        {percent}
      </Text>
    </div>
  );
}

interface ChangeProps {
  readonly children: React.ReactNode;
  readonly save: () => Promise<unknown>;
}

/** Fields that are shown when somebody wants to change something. */
function Change({ children, save }: ChangeProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { tried, isBusy, error } = useTried([["character_state"], ["character_relationship"], ["timeline"]]);
  if (!isOpen) {
    return (
      <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setOpen(true)} data-testid="change-standing">
        {t("change")}
      </Button>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void tried(save)();
      }}
    >
      <SimpleGrid cols={{ base: 2, sm: 3 }} mt="sm" spacing="xs">
        {children}
      </SimpleGrid>
      <Failure error={error} />
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" type="submit" loading={isBusy} data-testid="save-standing">
          {t("save")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setOpen(false)}>
          {t("cancel")}
        </Button>
      </Group>
    </form>
  );
}

function MoodForm({ now, save }: { readonly now: Mood; readonly save: (body: Partial<Mood>) => Promise<unknown> }) {
  const { t } = useTexts();
  const [values, setValues] = useState<Mood>({
    mood: now.mood,
    mood_intensity: now.mood_intensity,
    energy: now.energy,
  });
  return (
    <Change save={() => save(values)}>
      <TextInput
        label={t("mood")}
        maxLength={32}
        required
        value={values.mood}
        onChange={({ currentTarget }) => setValues({ ...values, mood: currentTarget.value })}
      />
      {MOODS.map((name) => (
        <NumberInput
          key={name}
          label={t(name)}
          min={0}
          max={name === "energy" ? 100 : 1}
          step={name === "energy" ? 1 : 0.1}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: Number(value) })}
        />
      ))}
    </Change>
  );
}

function BondForm({ now, save }: { readonly now: Bond; readonly save: (body: Partial<Bond>) => Promise<unknown> }) {
  const { t } = useTexts();
  const [values, setValues] = useState<Bond>(
    () => Object.fromEntries(BONDS.map((name) => [name, now[name]])) as unknown as Bond,
  );
  return (
    <Change save={() => save(values)}>
      {BONDS.map((name) => (
        <NumberInput
          key={name}
          label={t(name)}
          min={0}
          max={100}
          value={values[name]}
          onChange={(value) => setValues({ ...values, [name]: Number(value) })}
        />
      ))}
    </Change>
  );
}

/** What stands in the timeline is anybody's JSON that an import may have brought. */
interface Snapshot {
  readonly state?: Partial<Mood>;
  readonly relationship?: Partial<Bond>;
}

function Past({ characterId, session }: StandingProps) {
  const { t, language } = useTexts();
  const entries = useQuery({
    queryKey: ["timeline", session, characterId],
    queryFn: () =>
      parley.get("/api/sessions/{session_id}/runtime-timeline", {
        path: { session_id: session },
        query: { character_id: characterId, order: "desc", limit: 100 },
      }),
  });
  return (
    <section aria-label={t("overTime")}>
      <Title order={2} size="h5" mt="lg" mb="xs">
        {t("overTime")}
      </Title>
      <Loaded query={entries}>
        {({ items }) => {
          if (items.length === 0) {
            return (
              <Text size="sm" c="dimmed">
                {t("noTimeline")}
              </Text>
            );
          }
          const past = items.toReversed().map(({ id, timestamp, state, relationship }) => ({
            id,
            at: timeOf(timestamp, language),
            snapshot: { state, relationship } as Snapshot,
          }));
          const line = (name: string, color: string, of: (snapshot: Snapshot) => number | undefined) => ({
            name,
            color,
            values: past.map(({ snapshot }) => of(snapshot)),
          });
          return (
            <>
              <LineChart
                label={t("overTime")}
                labels={past.map(({ at, snapshot }) =>
                  [at, moodText(snapshot.state?.mood ?? "")].filter(Boolean).join(" · "),
                )}
                series={[
                  line(t("energy"), "var(--mantine-color-orange-6)", ({ state }) => state?.energy),
                  ...BONDS.map((name, index) =>
                    line(t(name), colorOf(COLORS[index] ?? "gray.6"), ({ relationship }) => relationship?.[name]),
                  ),
                ]}
              />
              <ol className="moods" aria-label={t("timeline")}>
                {past.toReversed().map(({ id, at, snapshot }) => (
                  <li key={id} data-testid="timeline-entry">
                    <Badge variant="light">{moodText(snapshot.state?.mood ?? "–")}</Badge>{" "}
                    <Text span size="xs" c="dimmed">
                      {at}
                    </Text>
                  </li>
                ))}
              </ol>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** `pink.6` as CSS has it. */
function colorOf(color: string): string {
  return `var(--mantine-color-${color.replace(".", "-")})`;
}
