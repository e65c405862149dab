import { Button, Group, NumberInput, SimpleGrid, TextInput } from "@mantine/core";
import { useState } from "react";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { BONDS, type Bond, MOODS, type Mood } from "./standing-fields.ts";
import { useTexts } from "./texts.ts";

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

export function MoodForm({
  now,
  save,
}: {
  readonly now: Mood;
  readonly save: (body: Partial<Mood>) => Promise<unknown>;
}) {
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

export function BondForm({
  now,
  save,
}: {
  readonly now: Bond;
  readonly save: (body: Partial<Bond>) => Promise<unknown>;
}) {
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
