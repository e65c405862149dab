import type { Localized } from "@parley/core";
import { localize } from "../i18n/localize.ts";

/** A tool, prompt or resource whose description is written for models, with one for people where it has that. */
export interface Described {
  readonly description: string;
  readonly help?: Localized | null;
}

/** Returns the description for people in the reader's language; else the one for models. */
export function describe(language: string, { description, help }: Described): string {
  return help ? localize(help, language) : description;
}
