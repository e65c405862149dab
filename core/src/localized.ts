/** A text for people in the languages of the console. */
export interface Localized {
  readonly en: string;
  readonly zh: string;
}
