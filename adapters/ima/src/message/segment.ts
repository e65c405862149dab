/** One part of a message, such as a text or a picture. */
export interface Segment {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
