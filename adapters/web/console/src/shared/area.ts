import type { Scope } from "@parley/core";
import type { ComponentType } from "react";

/** A page of the console itself. Its code and its texts are loaded when it is opened. */
export interface Area {
  /** As the plugin's entry of the navigation names its page. */
  readonly id: string;
  /** Its addresses; the first is the one that the navigation opens. */
  readonly paths: readonly [string, ...string[]];
  /** What `$tab` in its addresses stands for. */
  readonly tabs?: readonly string[];
  /** What a person needs to change anything there; default `chat`. */
  readonly changes?: Scope;
  /** What a person needs for some parts of it, where that is more. */
  readonly changesOfParts?: Scope;
  readonly page: () => Promise<ComponentType>;
}
