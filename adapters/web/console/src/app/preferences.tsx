import { NativeSelect, Stack, useMantineColorScheme } from "@mantine/core";
import { LANGUAGES, type Language, setLanguage, useTexts } from "../shared/i18n/i18n.ts";

/** Language and colours of this browser. */
export function Preferences() {
  const { t } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap={6}>
      <LanguageSelect />
      <NativeSelect
        size="xs"
        aria-label={t("theme")}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as "auto" | "light" | "dark")}
        data={[
          { value: "auto", label: t("auto") },
          { value: "light", label: t("light") },
          { value: "dark", label: t("dark") },
        ]}
      />
    </Stack>
  );
}

export function LanguageSelect() {
  const { t, language } = useTexts();
  return (
    <NativeSelect
      size="xs"
      aria-label={t("language")}
      value={language}
      onChange={({ currentTarget }) => setLanguage(currentTarget.value as Language)}
      data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
    />
  );
}
