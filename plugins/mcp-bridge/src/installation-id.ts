import { randomUUID } from "node:crypto";
import type { Collection, DocumentKind } from "@parley/core";

/** Identity of this installation, shared by its processes. */
export interface InstallationId {
  /** Returns the mark that our own server reports. */
  get(): Promise<string>;
  /** Returns true when a mark is of this installation. */
  isOwn(mark: unknown): Promise<boolean>;
}

export const INSTALLATION: DocumentKind = { name: "mcp-installation" };

/** Creates the installation id. Processes that start together may each store one: all of them count as own, and the first is reported. */
export function createInstallationId(collection: Collection<{ readonly id: string }>): InstallationId {
  const make = async () => {
    if ((await collection.list()).length === 0) await collection.put({ id: randomUUID() });
  };
  let made: Promise<void> | undefined;
  return {
    async get() {
      made ??= make();
      await made;
      const [first] = await collection.list();
      return first?.id ?? "";
    },
    isOwn: async (mark) => typeof mark === "string" && (await collection.get(mark)) !== undefined,
  };
}
