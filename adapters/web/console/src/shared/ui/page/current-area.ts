import { createContext } from "react";
import type { NavigationArea } from "../../api/console.ts";

/** The area whose page is open. */
export const CurrentAreaContext = createContext<NavigationArea | undefined>(undefined);
