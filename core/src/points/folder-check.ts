import Joi from "@hapi/joi";
import { type ExtensionPoint, extensionPoint } from "../extension-point.ts";
import type { ReadRows } from "../services/sessions.ts";
import { runs, shaped, word } from "../shape.ts";

/** What was found, in words for who runs the service. */
export interface FolderFinding {
  readonly level: "ok" | "warning" | "problem";
  readonly said: string;
  /** What to do; nothing for what is well. */
  readonly advice?: string;
}

/** What `parley doctor` looks at in a data folder in which no service works. */
export interface FolderCheck {
  /** What is looked at: `jobs`. */
  readonly id: string;
  /** Tables of its own that it reads; it is left out where one is not there yet. */
  readonly tables: readonly string[];
  /** `read` gives rows of `parley.db`. */
  examine(read: ReadRows, now: number): FolderFinding;
}

/** What `parley doctor` looks at in a folder at rest. */
export const FolderChecks: ExtensionPoint<FolderCheck> = extensionPoint("folder-checks", {
  accept: shaped(
    Joi.object<FolderCheck>({
      id: word.required(),
      tables: Joi.array().items(Joi.string()).required(),
      examine: runs.required(),
    }).unknown(),
  ),
  unique: { kind: "folder check", names: ({ id }) => [id] },
});
