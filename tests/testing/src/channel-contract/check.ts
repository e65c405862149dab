import type { ChannelAdapterCase, FakePlatform, PlatformFault } from "./case.ts";
import type { Scene } from "./scene.ts";

/** One requirement of every adapter. */
export interface Check {
  readonly chapter: string;
  readonly name: string;
  /** Returns the reason why the check does not apply; undefined where it does. */
  readonly skipped?: (given: ChannelAdapterCase) => string | undefined;
  /** Like `skipped`, for reasons that only an open link shows. */
  readonly applies?: (scene: Scene) => Promise<string | undefined>;
  /** Functions of the platform that it needs; without them it is skipped. */
  readonly needs?: readonly (keyof FakePlatform)[];
  /** Faults that the platform must be able to simulate; without them it is skipped. */
  readonly faults?: readonly PlatformFault[];
  /** Runs the check; throws its finding. Resolves with a reason when the run showed that the check does not apply. */
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
