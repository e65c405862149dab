import { randomUUID } from "node:crypto";
import type { Collection, DocumentKind } from "@parley/core";

/** Identity of this installation, shared by its processes. */
export interface InstallationId {
  /** Returns the id that our own server reports. */
  get(): Promise<string>;
  /** Returns true for an id of this installation. */
  isOwn(id: unknown): Promise<boolean>;
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
    isOwn: async (id) => typeof id === "string" && (await collection.get(id)) !== undefined,
  };
}
