import type { MantineColorsTuple } from "@mantine/core";
import { getKeys } from "../objects.ts";

/** Colour scales of equal lightness, made in OKLCH, so that contrast is the same in all. */
export const ACCENTS = {
  petrol: [
    "#eaf8f6",
    "#d3efea",
    "#a8ddd6",
    "#78c9be",
    "#4ab2a6",
    "#269b90",
    "#08877c",
    "#04756b",
    "#045d55",
    "#014841",
  ],
  ocean: ["#edf6ff", "#d7eaff", "#aed5ff", "#7cbdff", "#4ea3f5", "#308bde", "#1c77c6", "#1167ae", "#0c528c", "#093f6c"],
  plum: ["#fcf0fd", "#f8def9", "#eebff0", "#df9ce2", "#cb7cd0", "#b464b9", "#9e52a3", "#8a458e", "#6e3672", "#552958"],
  forest: [
    "#edf8ed",
    "#d8efd8",
    "#b3dfb3",
    "#8bca8c",
    "#67b36a",
    "#4d9c52",
    "#3b8841",
    "#307636",
    "#255e2a",
    "#1c481f",
  ],
  ember: ["#fef1ed", "#ffe0d6", "#fec0ab", "#f99c7b", "#e97b54", "#d16239", "#b95028", "#a2431f", "#823517", "#652811"],
} as const satisfies Readonly<Record<string, MantineColorsTuple>>;

export type Accent = keyof typeof ACCENTS;
export const ACCENT_NAMES = getKeys(ACCENTS);
