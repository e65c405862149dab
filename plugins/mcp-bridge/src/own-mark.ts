import { randomUUID } from "node:crypto";
import type { Collection } from "@parley/core";

/** Tells this installation from every other one, however many processes it has. */
export interface OwnMark {
  /** What our own server says of itself. */
  said(): Promise<string>;
  /** Whether it is what a process of this installation says. */
  isOurs(mark: unknown): Promise<boolean>;
}

/** Processes that begin at once may make one each: what any of them has made is ours, and the first of them is said. */
export function createOwnMark(kept: Collection<{ readonly id: string }>): OwnMark {
  const make = async () => {
    if ((await kept.list()).length === 0) await kept.put({ id: randomUUID() });
  };
  let made: Promise<void> | undefined;
  return {
    async said() {
      made ??= make();
      await made;
      const [first] = await kept.list();
      return first?.id ?? "";
    },
    isOurs: async (mark) => typeof mark === "string" && (await kept.get(mark)) !== undefined,
  };
}
