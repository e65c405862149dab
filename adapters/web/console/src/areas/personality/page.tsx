import { Group, NativeSelect, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { CardEditor } from "../../shared/cards/card-editor.tsx";
import textCss from "../../shared/styles/text.module.css";
import { Loaded } from "../../shared/ui/common.tsx";
import { Portrait } from "../../shared/ui/element/portrait.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import { toAddress } from "../../shared/ui/page/address.ts";
import { Page } from "../../shared/ui/page/page.tsx";
import { type Personality, type Preset, personality } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEY = ["personality"];

/** The personality for conversations without a character: its card, and a switch to another preset. */
export function PersonalityPage() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [presetCount, setPresetCount] = useState(0);
  const current = useQuery({ queryKey: QUERY_KEY, queryFn: personality.get });
  const presets = useQuery({ queryKey: ["preset", "names"], queryFn: personality.listPresets });
  const store = async (fields: Readonly<Record<string, unknown>>, revision: number | undefined) => {
    const now = await personality.change(fields, revision);
    queries.setQueryData(QUERY_KEY, now);
    showToast({ text: t("saved") });
    return now;
  };
  return (
    <Page
      title={t("personality")}
      hint={t("hint")}
      actions={
        <Link {...toAddress("/area/presets")} className={textCss.inlineLink}>
          {t("presets")}
        </Link>
      }
      isWide
    >
      <Loaded query={current}>
        {(now) => (
          <>
            <Group justify="space-between" align="flex-end" gap="md" mb="md">
              <CurrentPersonality personality={now} presets={presets.data} />
              {presets.data && (
                <PresetSwitch
                  current={now.preset_id}
                  presets={presets.data}
                  onSelected={(one) => {
                    queries.setQueryData(QUERY_KEY, one);
                    setPresetCount(presetCount + 1);
                  }}
                />
              )}
            </Group>
            <CardEditor key={presetCount} card={now} read={personality.get} change={store} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface CurrentPersonalityProps {
  readonly personality: Personality;
  readonly presets: readonly Preset[] | undefined;
}

function CurrentPersonality({ personality: { name, avatar, portrait, preset_id }, presets }: CurrentPersonalityProps) {
  const { t } = useTexts();
  const preset = presets?.find(({ id }) => id === preset_id);
  return (
    <Group
      gap="sm"
      wrap="nowrap"
      component="section"
      flex="1 1 16rem"
      miw={0}
      aria-label={t("currentPersonality")}
      data-testid="current-personality"
    >
      <Portrait name={name} url={avatar || portrait} kind="face" />
      <div style={{ minWidth: 0 }}>
        <Text fw={600} className={textCss.oneLine}>
          {name}
        </Text>
        <Text size="sm" c="dimmed" className={textCss.oneLine}>
          {preset ? t("fromPreset", { name: preset.name }) : t("withoutPreset")}
        </Text>
      </div>
    </Group>
  );
}

interface PresetSwitchProps {
  readonly current: string | null;
  readonly presets: readonly Preset[];
  readonly onSelected: (now: Personality) => void;
}

function PresetSwitch({ current, presets, onSelected }: PresetSwitchProps) {
  const { t } = useTexts();
  const [selected, setSelected] = useState<string>();
  const id = selected ?? current ?? presets[0]?.id ?? "";
  const name = presets.find((preset) => preset.id === id)?.name ?? "";
  const toGroup = (isBuiltIn: boolean, group: string) => {
    const items = presets
      .filter(({ builtin }) => builtin === isBuiltIn)
      .map((preset) => ({ value: preset.id, label: preset.name }));
    return items.length === 0 ? [] : [{ group, items }];
  };
  const apply = async () => {
    onSelected(await personality.applyPreset(id));
    showToast({ text: t("presetApplied", { name }) });
  };
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap" miw={0}>
      <NativeSelect
        label={t("preset")}
        value={id}
        onChange={({ currentTarget }) => setSelected(currentTarget.value)}
        data={[...toGroup(true, t("builtIn")), ...toGroup(false, t("custom"))]}
        w="15rem"
        miw={0}
        data-testid="preset"
      />
      <ConfirmButton label={t("use")} what={name} text={t("useHint")} run={apply} isBesideField testId="use-preset" />
    </Group>
  );
}
