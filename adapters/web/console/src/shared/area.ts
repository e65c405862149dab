import type { Scope } from "@parley/core";
import type { ComponentType } from "react";

/** A page of the console itself. Its code and its texts are loaded when it is opened. */
export interface Area {
  /** The name of the page in the plugin's navigation entry. */
  readonly id: string;
  /** Paths; the navigation opens the first one. */
  readonly paths: readonly [string, ...string[]];
  /** Allowed values of `$tab` in the paths. */
  readonly tabs?: readonly string[];
  /** Scope required for changes; default `chat`. */
  readonly changeScope?: Scope;
  /** Scope required for some parts of the page, where that is a higher one. */
  readonly partChangeScope?: Scope;
  readonly page: () => Promise<ComponentType>;
}
