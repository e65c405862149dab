declare module "@hapi/pez" {
  import type { PassThrough, Writable } from "node:stream";

  interface PezPart extends PassThrough {
    readonly name: string;
    readonly filename?: string;
  }

  /** What is used of hapi's own multipart reader, which comes without types. */
  export const Dispenser: new (options: {
    readonly boundary: string;
    readonly maxBytes?: number;
  }) => Writable & { on(event: "part", listener: (part: PezPart) => void): unknown };
}
