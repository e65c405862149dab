import { NativeSelect } from "@mantine/core";
import { LANGUAGES, type Language, setLanguage, useTexts } from "../../shared/i18n/i18n.ts";

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
