import { createContext } from "react";
import type { NavigationArea } from "../../api/console.ts";

/** The area of the open page. */
export const CurrentAreaContext = createContext<NavigationArea | undefined>(undefined);
