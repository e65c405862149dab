import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/** The effort of a user. Reading and scrolling are free. */
export interface Effort {
  /** Clicks and taps. */
  readonly clicks: number;
  /** Enter and keys with Control. */
  readonly keys?: number;
  /** Fields written into; typing alone means that the page has focused the field. */
  readonly fields?: number;
  /** Selections in native lists. */
  readonly picks?: number;
}

/** A user whose every action is counted. */
export interface CountedUser {
  click(what: Locator): Promise<void>;
  press(key: string): Promise<void>;
  /** Types into the focused element. */
  type(text: string): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  pick(list: Locator, label: string): Promise<void>;
  /** Fails when the user needed more than this. */
  expectAtMost(most: Effort): void;
}

export function createCountedUser(page: Page): CountedUser {
  const did = { clicks: 0, keys: 0, fields: 0, picks: 0 };
  return {
    async click(what) {
      did.clicks += 1;
      await what.click();
    },
    async press(key) {
      did.keys += 1;
      await page.keyboard.press(key);
    },
    type: (text) => page.keyboard.type(text),
    async write(field, text) {
      did.fields += 1;
      await field.fill(text);
      // Focuses the field like a click, so that following keys go there.
      await field.focus();
    },
    async pick(list, label) {
      did.picks += 1;
      await list.selectOption({ label });
    },
    expectAtMost({ clicks, keys = 0, fields = 0, picks = 0 }) {
      const actions = JSON.stringify(did);
      expect(did.clicks, actions).toBeLessThanOrEqual(clicks);
      expect(did.keys, actions).toBeLessThanOrEqual(keys);
      expect(did.fields, actions).toBeLessThanOrEqual(fields);
      expect(did.picks, actions).toBeLessThanOrEqual(picks);
    },
  };
}
