import { NativeSelect } from "@mantine/core";
import { setLanguage, useTexts } from "../../shared/i18n/i18n.ts";
import { useLanguages } from "../../shared/i18n/use-languages.ts";

export function LanguageSelect() {
  const { t, language } = useTexts();
  return (
    <NativeSelect
      size="xs"
      aria-label={t("language")}
      value={language}
      onChange={({ currentTarget }) => void setLanguage(currentTarget.value)}
      data={useLanguages().map(({ code, name }) => ({ value: code, label: name }))}
    />
  );
}
