/** One part of a rich tool result: text, image, sound or document. */
export type ToolPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image" | "audio";
      readonly data: Uint8Array;
      readonly mimeType: string;
      /** URL of the stored file when the file is already stored and a text refers to it. */
      readonly url?: string;
    }
  | { readonly type: "resource"; readonly uri: string; readonly mimeType: string; readonly text: string };

const TOOL_PARTS = Symbol.for("parley:tool-parts");

/** A tool result of texts, pictures and other parts. */
export interface ToolParts {
  readonly parts: readonly ToolPart[];
}

/** Wraps the parts of a rich tool result: pictures, sound or a document. Models get the texts and, where they support vision, the pictures. */
export function toolParts(parts: readonly ToolPart[]): ToolParts {
  return { [TOOL_PARTS]: true, parts } as ToolParts;
}

/** Returns true for a tool result made by `toolParts`. */
export function isToolParts(value: unknown): value is ToolParts {
  return typeof value === "object" && value !== null && TOOL_PARTS in value;
}
