/** One piece of a message. */
export interface Segment {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}
