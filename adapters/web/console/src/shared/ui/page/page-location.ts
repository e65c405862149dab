import { createContext } from "react";
import type { NavigationArea } from "../../api/console.ts";

/** The path of the open page, and a lookup of areas by path, which finds none while they are loading. */
export interface PageLocation {
  readonly path: string;
  readonly findArea: (path: string) => NavigationArea | undefined;
}

export const LocationContext = createContext<PageLocation>({ path: "", findArea: () => undefined });
