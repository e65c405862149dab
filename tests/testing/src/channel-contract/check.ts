import type { ChannelAdapterCase, FakePlatform, PlatformFault } from "./case.ts";
import type { Scene } from "./scene.ts";

/** One thing every adapter must do. */
export interface Check {
  readonly chapter: string;
  readonly name: string;
  /** Why it does not apply; undefined when it does. */
  readonly skipped?: (given: ChannelAdapterCase) => string | undefined;
  /** The same, when only an open link can tell. */
  readonly applies?: (scene: Scene) => Promise<string | undefined>;
  /** Parts of the platform it needs; without them it is skipped. */
  readonly needs?: readonly (keyof FakePlatform)[];
  /** Faults the platform must be able to play; without them it is skipped. */
  readonly faults?: readonly PlatformFault[];
  /** Throws what it finds. A string it resolves with is why it could not be played, where only playing shows that. */
  run(scene: Scene): Promise<unknown>;
}

/** Checks of one chapter, from their names and what they do. */
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
