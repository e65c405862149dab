import { useLocalStorage } from "@mantine/hooks";
import { ACCENTS, type Accent } from "./accents.ts";

export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

export const FONT_SIZES = ["small", "normal", "large", "largest"] as const;
export type FontSize = (typeof FONT_SIZES)[number];

/** Returns the appearance settings of this browser; invalid stored values count as the defaults. */
export function useAppearance() {
  const [accent, setAccent] = useLocalStorage<Accent>({
    key: "parley.accent",
    defaultValue: "petrol",
    getInitialValueInEffect: false,
  });
  const [density, setDensity] = useLocalStorage<Density>({
    key: "parley.density",
    defaultValue: "comfortable",
    getInitialValueInEffect: false,
  });
  const [fontSize, setFontSize] = useLocalStorage<FontSize>({
    key: "parley.letters",
    defaultValue: "normal",
    getInitialValueInEffect: false,
  });
  return {
    accent: Object.hasOwn(ACCENTS, accent) ? accent : "petrol",
    setAccent,
    density: DENSITIES.includes(density) ? density : "comfortable",
    setDensity,
    fontSize: FONT_SIZES.includes(fontSize) ? fontSize : "normal",
    setFontSize,
  } as const;
}
