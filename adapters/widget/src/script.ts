import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { widgetTexts } from "./texts.ts";

const BUILT_FILE = fileURLToPath(new URL("../dist/client/widget.js", import.meta.url));

/** The built script of the chat, as pages load it. */
export interface WidgetScript {
  readonly body: string;
  /** Entity tag including its quotes. */
  readonly etag: string;
}

/** Creates the reader of the built script, which is read again when the file has changed. Throws `unavailable` when it is not built. */
export function createScriptReader(file = BUILT_FILE): () => WidgetScript {
  let last: (WidgetScript & { readonly changedAt: number }) | undefined;
  return () => {
    const changedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined) throw widgetTexts.error("unavailable", "no_script");
    if (last?.changedAt !== changedAt) {
      const body = readFileSync(file, "utf8");
      last = { body, changedAt, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
    }
    return last;
  };
}
