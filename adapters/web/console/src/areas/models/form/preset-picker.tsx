import { Anchor, NativeSelect, Text } from "@mantine/core";
import { useTexts } from "../texts.ts";
import { PRESETS, type Preset } from "./presets.ts";

interface PresetPickerProps {
  readonly preset: Preset | undefined;
  readonly onSelect: (preset: Preset | undefined) => void;
}

/** Selects a provider's preset and shows its requirements. */
export function PresetPicker({ preset, onSelect }: PresetPickerProps) {
  const { t } = useTexts();
  return (
    <div>
      <NativeSelect
        label={t("preset")}
        value={preset?.id ?? ""}
        onChange={({ currentTarget }) => onSelect(PRESETS.find(({ id }) => id === currentTarget.value))}
        data={[{ value: "", label: t("ownPreset") }, ...PRESETS.map(({ id, name }) => ({ value: id, label: name }))]}
        data-testid="model-preset"
      />
      {preset && (
        <Text size="xs" c="dimmed" mt={4}>
          {t(preset.needs)}{" "}
          <Anchor href={preset.page} target="_blank" rel="noreferrer" size="xs">
            {new URL(preset.page).host}
          </Anchor>
        </Text>
      )}
    </div>
  );
}
