import type { ChannelAdapterCase, FakePlatform, PlatformFault } from "./case.ts";
import type { Scene } from "./scene.ts";

/** One thing every adapter must do. */
export interface Check {
  readonly chapter: string;
  readonly name: string;
  /** Returns the reason why the check does not apply; undefined where it does. */
  readonly skipped?: (given: ChannelAdapterCase) => string | undefined;
  /** As `skipped`, where only an open link can tell. */
  readonly applies?: (scene: Scene) => Promise<string | undefined>;
  /** Parts of the platform it needs; without them it is skipped. */
  readonly needs?: readonly (keyof FakePlatform)[];
  /** Faults the platform must be able to play; without them it is skipped. */
  readonly faults?: readonly PlatformFault[];
  /** Runs the check; throws its finding. A resolved string is the reason why it could not run, where only running shows that. */
  run(scene: Scene): Promise<unknown>;
}

/** Builds the checks of a chapter from their names and functions. */
export function chapter(
  name: string,
  checks: Readonly<Record<string, Check["run"] | Omit<Check, "chapter" | "name">>>,
): readonly Check[] {
  return Object.entries(checks).map(([what, check]) => ({
    chapter: name,
    name: what,
    ...(typeof check === "function" ? { run: check } : check),
  }));
}
