import { MantineProvider } from "@mantine/core";
import { useLayoutEffect, useMemo } from "react";
import { useTexts } from "../i18n/i18n.ts";
import { createAppTheme } from "./theme.ts";
import { useAppearance } from "./use-appearance.ts";

/** Applies the appearance settings of this browser. */
export function AppTheme({ children }: { readonly children: React.ReactNode }) {
  const { accent, density, fontSize } = useAppearance();
  const { t } = useTexts();
  const showPassword = t("showPassword");
  const theme = useMemo(() => createAppTheme(accent, showPassword), [accent, showPassword]);
  useLayoutEffect(() => {
    Object.assign(document.documentElement.dataset, { accent, density, fontSize });
  }, [accent, density, fontSize]);
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      {children}
    </MantineProvider>
  );
}
