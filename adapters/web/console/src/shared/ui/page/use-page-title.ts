import { useEffect } from "react";
import { BRAND } from "../../brand.ts";

/** What the browser's tab and its history call the page, while it is there. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · ${BRAND}`;
    return () => {
      document.title = BRAND;
    };
  }, [name]);
}
