import { randomUUID } from "node:crypto";
import type { Collection } from "@parley/core";

/** Tells this installation from every other one, however many processes it has. */
export interface InstallationId {
  /** What our own server says of itself. */
  get(): Promise<string>;
  /** Whether it is what a process of this installation says. */
  isOwn(mark: unknown): Promise<boolean>;
}

/** Processes that begin at once may make one each: what any of them has made is ours, and the first of them is said. */
export function createInstallationId(kept: Collection<{ readonly id: string }>): InstallationId {
  const make = async () => {
    if ((await kept.list()).length === 0) await kept.put({ id: randomUUID() });
  };
  let made: Promise<void> | undefined;
  return {
    async get() {
      made ??= make();
      await made;
      const [first] = await kept.list();
      return first?.id ?? "";
    },
    isOwn: async (mark) => typeof mark === "string" && (await kept.get(mark)) !== undefined,
  };
}
