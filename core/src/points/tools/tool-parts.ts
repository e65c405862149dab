/** One part of what is shown to a client that can show more than text. */
export type ToolPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio";
      readonly data: Uint8Array;
      readonly mimeType: string;
      /** The address of the stored file that it is, where a text names that already. */
      readonly url?: string;
    }
  | { readonly type: "resource"; readonly uri: string; readonly mimeType: string; readonly text: string };

const TOOL_PARTS = Symbol.for("parley:tool-parts");

/** An answer of texts, pictures and other parts. */
export interface ToolParts {
  readonly parts: readonly ToolPart[];
}

/** What a tool returns in place of a plain value to show pictures, sound or a document. Models get the texts and, where they can see, the pictures. */
export function toolParts(parts: readonly ToolPart[]): ToolParts {
  return { [TOOL_PARTS]: true, parts } as ToolParts;
}

/** Whether a tool answered with parts that `toolParts` made. */
export function isToolParts(value: unknown): value is ToolParts {
  return typeof value === "object" && value !== null && TOOL_PARTS in value;
}
