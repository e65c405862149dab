import { MantineProvider } from "@mantine/core";
import { useLayoutEffect, useMemo } from "react";
import { useTexts } from "../i18n/i18n.ts";
import { useLooks } from "./looks.ts";
import { themeOf } from "./theme.ts";

/** Wears what this browser's user chose. */
export function Themed({ children }: { readonly children: React.ReactNode }) {
  const { accent, density, letters } = useLooks();
  const { t } = useTexts();
  const showPassword = t("showPassword");
  const theme = useMemo(() => themeOf(accent, showPassword), [accent, showPassword]);
  useLayoutEffect(() => {
    Object.assign(document.documentElement.dataset, { accent, density, letters });
  }, [accent, density, letters]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}
