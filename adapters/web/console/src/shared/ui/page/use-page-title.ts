import { useEffect } from "react";
import { BRAND } from "../../brand.ts";

/** Sets the title of the page in the tab and history while mounted. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · ${BRAND}`;
    return () => {
      document.title = BRAND;
    };
  }, [name]);
}
