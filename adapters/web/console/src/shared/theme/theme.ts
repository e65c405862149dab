import { createTheme, type MantineColorsTuple, type MantineThemeOverride } from "@mantine/core";
import { ACCENTS, type Accent } from "./accents.ts";

// Greys with a tint of the logo's petrol, so that all surfaces match it.
const GRAY: MantineColorsTuple = [
  "#f3f7f6",
  "#e9f0ee",
  "#dce5e2",
  "#cad5d2",
  "#a9b7b3",
  "#869590",
  "#66756f",
  "#4a5954",
  "#33413d",
  "#1c2825",
];
const DARK: MantineColorsTuple = [
  "#dbe5e2",
  "#bfccc8",
  "#9bada8",
  "#7f908b",
  "#354541",
  "#293734",
  "#202c2a",
  "#192422",
  "#101817",
  "#0b1110",
];
const SANS =
  "'Figtree Variable', system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans', sans-serif";

/** Creates the theme: fonts, sizes and corners. Colours of surfaces are in `styles/tokens.css`. */
export function createAppTheme(accent: Accent, showPassword: string): MantineThemeOverride {
  return createTheme({
    colors: { parley: ACCENTS[accent], gray: GRAY, dark: DARK },
    black: "#15201e",
    primaryColor: "parley",
    primaryShade: 7,
    defaultRadius: "md",
    radius: { xs: ".25rem", sm: ".4rem", md: ".6rem", lg: ".85rem", xl: "1.25rem" },
    fontFamily: SANS,
    fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Code', 'JetBrains Mono', Menlo, Consolas, monospace",
    fontSizes: { xs: ".78rem", sm: ".875rem", md: ".95rem", lg: "1.1rem", xl: "1.3rem" },
    headings: {
      fontWeight: "700",
      sizes: {
        h1: { fontSize: "2rem", lineHeight: "1.15" },
        h2: { fontSize: "1.6rem", lineHeight: "1.2" },
        h3: { fontSize: "1.25rem", lineHeight: "1.3" },
        h4: { fontSize: "1.05rem", lineHeight: "1.35" },
        h5: { fontSize: ".95rem", lineHeight: "1.4" },
      },
    },
    respectReducedMotion: true,
    components: {
      // Rendered within the page's landmarks, with the focus on the first item.
      Menu: { defaultProps: { portalProps: { target: "#menus" }, withInitialFocusPlaceholder: false } },
      // The header of a dialog is not the header of the page.
      Modal: { defaultProps: { attributes: { header: { role: "presentation" } } } },
      Drawer: { defaultProps: { attributes: { header: { role: "presentation" } } } },
      Badge: { defaultProps: { tt: "none", radius: "sm" } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { "aria-label": showPassword } } },
      Switch: { defaultProps: { withThumbIndicator: false } },
    },
  });
}
