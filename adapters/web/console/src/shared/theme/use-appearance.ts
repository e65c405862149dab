import { useLocalStorage } from "@mantine/hooks";
import { ACCENTS, type Accent } from "./accents.ts";

/** How close together things stand. */
export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

/** How large the letters are. */
export const FONT_SIZES = ["small", "normal", "large", "largest"] as const;
export type FontSize = (typeof FONT_SIZES)[number];

/** What somebody chose for this browser; anything else that is stored there counts as nothing. */
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
  const [letters, setLetters] = useLocalStorage<FontSize>({
    key: "parley.letters",
    defaultValue: "normal",
    getInitialValueInEffect: false,
  });
  return {
    accent: Object.hasOwn(ACCENTS, accent) ? accent : "petrol",
    setAccent,
    density: DENSITIES.includes(density) ? density : "comfortable",
    setDensity,
    letters: FONT_SIZES.includes(letters) ? letters : "normal",
    setLetters,
  } as const;
}
