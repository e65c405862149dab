import { createContext } from "react";
import type { NavigationArea } from "../../api/console.ts";

/** The open address, and the area of any address: none while the areas are loading. */
export interface PageLocation {
  readonly path: string;
  readonly findArea: (path: string) => NavigationArea | undefined;
}

export const LocationContext = createContext<PageLocation>({ path: "", findArea: () => undefined });
