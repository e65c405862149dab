import { Autocomplete, Button, Group, NumberInput, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { knownMoods, moodMeant, moodText } from "../../shared/i18n/moods.ts";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { useTried } from "../../shared/ui/common.tsx";
import { type Compared, compared } from "../../shared/ui/differences.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { BONDS, type Bond, HUNDREDTHS, MOODS, type Mood } from "./standing-fields.ts";
import { useTexts } from "./texts.ts";

interface ChangeProps {
  readonly children: React.ReactNode;
  /** `over`: the revision that somebody else, or the talk itself, made of it meanwhile. */
  readonly save: (over?: number) => Promise<unknown>;
  /** Shows what is stored by now. */
  readonly release: () => void;
  readonly isChanged: boolean;
  readonly compared: Compared;
}

/** Fields that are shown when somebody wants to change something. */
function Change({ children, save, release, isChanged, compared }: ChangeProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { tried, isBusy, error } = useTried([["character_state"], ["character_relationship"], ["timeline"]]);
  if (!isOpen) {
    return (
      <Changes>
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => setOpen(true)} data-testid="change-standing">
          {t("change")}
        </Button>
      </Changes>
    );
  }
  return (
    <Form
      error={error}
      submit={tried(() => save())}
      isChanged={isChanged}
      meanwhile={{
        id: "",
        compared,
        theirs: tried(async () => release()),
        mine: tried(() => save(theirRevision(error))),
      }}
    >
      <SimpleGrid cols={{ base: 2, sm: 3 }} mt="sm" spacing="xs">
        {children}
      </SimpleGrid>
      <FormFailure />
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" type="submit" loading={isBusy} data-testid="save-standing">
          {t("save")}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => setOpen(false)}>
          {t("cancel")}
        </Button>
      </Group>
    </Form>
  );
}

interface StandingFormProps<Fields> extends Pick<ChangeProps, "release"> {
  readonly now: Fields;
  readonly read: () => Promise<Fields>;
  readonly save: (body: Partial<Fields>, over?: number) => Promise<unknown>;
}

export function MoodForm({ now, read, release, save }: StandingFormProps<Mood>) {
  const { t } = useTexts();
  const { mood, mood_intensity, energy } = now;
  const begun: Mood = { mood, mood_intensity, energy };
  const [values, setValues] = useState(begun);
  return (
    <Change
      save={(over) => save(values, over)}
      release={release}
      isChanged={!isSame(values, begun)}
      compared={compared<Mood>(values, read, (theirs) => setValues({ ...values, ...theirs }))}
    >
      <At name="mood">
        <Autocomplete
          label={t("mood")}
          maxLength={32}
          required
          data={[...knownMoods()]}
          value={moodText(values.mood)}
          onChange={(text) => setValues({ ...values, mood: moodMeant(text) })}
        />
      </At>
      {MOODS.map((name) => (
        <At key={name} name={name}>
          <NumberInput
            label={t(name)}
            min={0}
            max={100}
            value={Math.round(values[name] * HUNDREDTHS[name])}
            onChange={(value) => setValues({ ...values, [name]: Number(value) / HUNDREDTHS[name] })}
          />
        </At>
      ))}
    </Change>
  );
}

export function BondForm({ now, read, release, save }: StandingFormProps<Bond>) {
  const { t } = useTexts();
  const begun = Object.fromEntries(BONDS.map((name) => [name, now[name]])) as unknown as Bond;
  const [values, setValues] = useState(begun);
  return (
    <Change
      save={(over) => save(values, over)}
      release={release}
      isChanged={!isSame(values, begun)}
      compared={compared<Bond>(values, read, (theirs) => setValues({ ...values, ...theirs }))}
    >
      {BONDS.map((name) => (
        <At key={name} name={name}>
          <NumberInput
            label={t(name)}
            min={0}
            max={100}
            value={values[name]}
            onChange={(value) => setValues({ ...values, [name]: Number(value) })}
          />
        </At>
      ))}
    </Change>
  );
}
