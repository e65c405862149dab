import type { Page } from "playwright-core";

/** Idle pages, one per profile: continuing in one takes a seventh of the time to load the console. */
export interface PagePool {
  /** Returns the idle page of a profile, or opens a new one. */
  take(profile: string, open: () => Promise<Page>): Promise<Page>;
  /** Returns a page to the pool after a reset, or closes it. */
  leave(page: Page): Promise<void>;
}

export function createPagePool(address: string): PagePool {
  const profiles = new WeakMap<Page, string>();
  const idle = new Map<string, Page>();
  return {
    async take(profile, open) {
      const page = idle.get(profile) ?? (await open());
      idle.delete(profile);
      profiles.set(page, profile);
      return page;
    },
    async leave(page) {
      const profile = profiles.get(page);
      if (page.isClosed() || (profile !== undefined && idle.get(profile) === page)) return;
      if (profile !== undefined && !idle.has(profile) && (await resetPage(page, address))) idle.set(profile, page);
      else await page.close();
    },
  };
}

/** Navigates to an empty page and discards unsaved changes; false when a dialog is still open. */
export async function resetPage(page: Page, address: string): Promise<boolean> {
  await page.unrouteAll();
  await page.goto(`${address}/#/nowhere`);
  const nothing = page.locator("main").getByText(/^(This page does not exist|页面不存在)$/);
  const discard = page.getByTestId("discard-changes");
  await nothing.or(discard).first().waitFor();
  // The dialog closes by itself if a save completes, since nothing is unsaved then.
  if (await discard.isVisible()) await Promise.race([discard.click(), discard.waitFor({ state: "detached" })]);
  await nothing.waitFor();
  return (await page.getByRole("dialog").or(page.getByTestId("toast")).count()) === 0;
}
