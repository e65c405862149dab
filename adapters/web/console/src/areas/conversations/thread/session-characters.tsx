import { Fieldset, Group, NativeSelect, Stack, Switch, Text } from "@mantine/core";
import type { Session, SpeakerOrder } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { characters } from "../../../shared/api/characters.ts";
import textCss from "../../../shared/styles/text.module.css";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { Portrait } from "../../../shared/ui/element/portrait.tsx";
import { SelectField } from "../../../shared/ui/form/fields.tsx";
import { FormControl } from "../../../shared/ui/form/form.tsx";
import { useTexts } from "../texts.ts";

const MAX_CHARACTERS = 8;

/** The characters of a conversation while they are edited. */
export interface Cast {
  readonly character_ids: readonly string[];
  readonly speaker_order: SpeakerOrder;
  /** Ids of the characters that are not present. */
  readonly absent: readonly string[];
}

export function toCast({ character_ids = [], speaker_order = "mention", scenes = [] }: Session): Cast {
  const present = scenes.at(-1)?.present ?? character_ids;
  return { character_ids, speaker_order, absent: character_ids.filter((id) => !present.includes(id)) };
}

interface SessionCharactersProps {
  readonly cast: Cast;
  readonly onChange: (change: Partial<Cast>) => void;
}

/** The characters that share the conversation, with their order and their presence. */
export function SessionCharacters({
  cast: { character_ids: ids, speaker_order, absent },
  onChange,
}: SessionCharactersProps) {
  const { t } = useTexts();
  const { data = [] } = useQuery({ queryKey: ["character", "all"], queryFn: characters.listAll });
  const others = data.filter(({ id }) => !ids.includes(id));
  const isSeveral = ids.length > 1;
  const togglePresence = (id: string) =>
    onChange({ absent: absent.includes(id) ? absent.filter((one) => one !== id) : [...absent, id] });
  return (
    <Fieldset legend={t("characters")} data-testid="session-characters">
      <Stack gap="xs">
        {ids.map((id, at) => {
          const { name = id, avatar = "" } = data.find((one) => one.id === id) ?? {};
          const isPresent = !absent.includes(id);
          return (
            <Group key={id} gap="xs" wrap="nowrap" data-testid="session-character">
              <Portrait name={name} url={avatar} kind="face" />
              <Text className={textCss.oneLine} flex={1}>
                {name}
              </Text>
              {isSeveral && (
                <Switch
                  size="xs"
                  label={t("isPresent")}
                  aria-label={t("isPresentNamed", { name })}
                  checked={isPresent}
                  // Somebody has to be there to answer.
                  disabled={isPresent && absent.length === ids.length - 1}
                  onChange={() => togglePresence(id)}
                />
              )}
              {isSeveral && (
                <IconButton
                  icon="sortUp"
                  label={t("moveCharacterUp", { name })}
                  onClick={() => onChange({ character_ids: moveUp(ids, at) })}
                  isDisabled={at === 0}
                />
              )}
              <IconButton
                icon="close"
                label={t("removeCharacter", { name })}
                onClick={() =>
                  onChange({
                    character_ids: ids.filter((one) => one !== id),
                    absent: absent.filter((one) => one !== id),
                  })
                }
              />
            </Group>
          );
        })}
        {ids.length < MAX_CHARACTERS && (
          <FormControl name="character_ids">
            <NativeSelect
              aria-label={t("addCharacter")}
              value=""
              onChange={({ currentTarget }) =>
                currentTarget.value !== "" && onChange({ character_ids: [...ids, currentTarget.value] })
              }
              data={[
                { value: "", label: t("addCharacter") },
                ...others.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              data-testid="add-character"
            />
          </FormControl>
        )}
        {isSeveral && (
          <SelectField
            label={t("speakerOrder")}
            description={t("charactersHint")}
            name="speaker_order"
            value={speaker_order}
            onChange={(order) => onChange({ speaker_order: order })}
            data={[
              { value: "mention", label: t("speakerMention") },
              { value: "round", label: t("speakerRound") },
              { value: "judge", label: t("speakerJudge") },
            ]}
            testId="speaker-order"
          />
        )}
      </Stack>
    </Fieldset>
  );
}

function moveUp(ids: readonly string[], at: number): readonly string[] {
  const [moved] = ids.slice(at, at + 1);
  return moved === undefined
    ? ids
    : [...ids.slice(0, at - 1), moved, ...ids.slice(at - 1).filter((id) => id !== moved)];
}
