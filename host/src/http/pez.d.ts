declare module "@hapi/pez" {
  import type { PassThrough, Writable } from "node:stream";

  interface PezPart extends PassThrough {
    readonly name: string;
    readonly filename?: string;
  }

  /** Types of hapi's multipart parser, which has none. */
  export const Dispenser: new (options: {
    readonly boundary: string;
    readonly maxBytes?: number;
  }) => Writable & { on(event: "part", listener: (part: PezPart) => void): unknown };
}
