import { createHash } from "node:crypto";
import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import type { Collection, Logger } from "@parley/core";

const MAX_STORED_DESCRIPTION = 500;

/** How a tool was when it was first seen. */
interface ToolFingerprint {
  readonly hash: string;
  readonly description: string;
  /** It said that it only looks; absent in what was kept before that was. */
  readonly reads?: boolean;
}

/** As it is kept. */
export interface StoredFingerprints {
  readonly id: string;
  /** A list, for names are of strangers; an object in what was kept before. */
  readonly tools: readonly (ToolFingerprint & { readonly name: string })[] | Readonly<Record<string, ToolFingerprint>>;
}

/**
 * What is known of one server's tools from before. What a server had when it was first connected counts as seen; what comes
 * later, or comes back as another, waits until an administrator has looked at it.
 */
export interface KnownTools {
  /** Compares with what the server has now. */
  compare(tools: readonly RemoteTool[]): void;
  /** It has come after the server was first connected, and nobody has looked at it. */
  isNew(tool: RemoteTool): boolean;
  /** What it said of itself before, where it is another one now. */
  getPreviousDescription(tool: RemoteTool): string | undefined;
  /** What another process has kept. */
  load(stored: StoredFingerprints | undefined): void;
  /** From now on these count as first seen as they are. */
  accept(tools: readonly RemoteTool[]): Promise<void>;
}

export interface KnownToolsDeps {
  readonly serverId: string;
  readonly stored: StoredFingerprints | undefined;
  readonly collection: Collection<StoredFingerprints>;
  readonly log: Logger;
}

export function createKnownTools({ serverId, stored, collection, log }: KnownToolsDeps): KnownTools {
  const read = (kept: StoredFingerprints | undefined) => kept && new Map(toFingerprintEntries(kept.tools));
  let fingerprints = read(stored);
  const reportedTools = new Set<string>();
  const keep = (next: ReadonlyMap<string, ToolFingerprint>) =>
    collection.put({ id: serverId, tools: [...next].map(([name, mark]) => ({ name, ...mark })) });
  const changedFrom: KnownTools["getPreviousDescription"] = (tool) => {
    const before = fingerprints?.get(tool.name);
    if (!before) return undefined;
    const { hash, reads } = toFingerprint(tool);
    return before.hash !== hash || (before.reads ?? reads) !== reads ? before.description : undefined;
  };
  return {
    compare(tools) {
      for (const tool of tools) {
        const from = changedFrom(tool);
        const { hash, description } = toFingerprint(tool);
        if (from === undefined || reportedTools.has(hash)) continue;
        reportedTools.add(hash);
        log.warn("a server has changed a tool", { server: serverId, tool: tool.name, from, to: description });
      }
      const noted = mergeFingerprints(fingerprints, tools);
      if (noted === fingerprints) return;
      fingerprints = noted;
      keep(noted).catch((error: unknown) => log.warn("tools could not be noted", { server: serverId, error }));
    },
    isNew: ({ name }) => fingerprints !== undefined && !fingerprints.has(name),
    getPreviousDescription: changedFrom,
    load(kept) {
      fingerprints = read(kept) ?? fingerprints;
    },
    async accept(tools) {
      const next = new Map([
        ...(fingerprints ?? []),
        ...tools.map((tool) => [tool.name, toFingerprint(tool)] as const),
      ]);
      await keep(next);
      fingerprints = next;
    },
  };
}

/** It only looks, as it says itself. */
export function isReadOnly({ annotations }: RemoteTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
}

/** All of them the first time; later only what was not kept yet of those that are known. */
function mergeFingerprints(
  marks: ReadonlyMap<string, ToolFingerprint> | undefined,
  tools: readonly RemoteTool[],
): Map<string, ToolFingerprint> {
  const now = tools.map((tool) => [tool.name, toFingerprint(tool)] as const);
  if (!marks) return new Map(now);
  const missing = now.filter(([name, { hash }]) => {
    const before = marks.get(name);
    return before?.reads === undefined && before?.hash === hash;
  });
  return missing.length === 0 ? (marks as Map<string, ToolFingerprint>) : new Map([...marks, ...missing]);
}

function toFingerprintEntries(tools: StoredFingerprints["tools"]): readonly (readonly [string, ToolFingerprint])[] {
  if (Array.isArray(tools)) return tools.map(({ name, ...mark }) => [name, mark]);
  return Object.entries(tools as Readonly<Record<string, ToolFingerprint>>);
}

function toFingerprint(tool: RemoteTool): ToolFingerprint {
  const { name, description = "", inputSchema } = tool;
  const hash = createHash("sha256")
    .update(JSON.stringify([name, description, inputSchema]))
    .digest("hex");
  return { hash, description: description.slice(0, MAX_STORED_DESCRIPTION), reads: isReadOnly(tool) };
}
