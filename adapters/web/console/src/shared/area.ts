import type { Scope } from "@parley/core";
import type { ComponentType } from "react";

/** A page of the console itself. Its code and its texts are loaded when it is opened. */
export interface Area {
  /** As the plugin's entry of the navigation names its page. */
  readonly id: string;
  /** Its addresses; the first is the one that the navigation opens. */
  readonly paths: readonly [string, ...string[]];
  /** What a person needs to change anything there; default `chat`. */
  readonly changes?: Scope;
  readonly page: () => Promise<ComponentType>;
}
