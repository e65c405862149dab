import { createHash } from "node:crypto";
import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import type { Collection, Logger } from "@parley/core";

const MAX_STORED_DESCRIPTION = 500;

/** Fingerprint of a tool when first seen. */
interface ToolFingerprint {
  readonly hash: string;
  readonly description: string;
  /** True when it claimed to be read-only; absent in older records. */
  readonly reads?: boolean;
}

/** Stored fingerprints of a server's tools. */
export interface StoredFingerprints {
  readonly id: string;
  /** A list, because tool names are untrusted; an object in older records. */
  readonly tools: readonly (ToolFingerprint & { readonly name: string })[] | Readonly<Record<string, ToolFingerprint>>;
}

/** Known tools of one server. Tools of the first connection count as reviewed; later or changed ones wait for an administrator's review. */
export interface KnownTools {
  /** Compares the known tools with the server's current ones. */
  compare(tools: readonly RemoteTool[]): void;
  /** Returns true when the tool was added after the first connection and is not reviewed. */
  isNew(tool: RemoteTool): boolean;
  /** Returns the tool's earlier description when the tool has changed. */
  getPreviousDescription(tool: RemoteTool): string | undefined;
  /** Loads fingerprints that another process stored. */
  load(stored: StoredFingerprints | undefined): void;
  /** Marks these tools as reviewed in their current form. */
  accept(tools: readonly RemoteTool[]): Promise<void>;
}

export interface KnownToolsDeps {
  readonly serverId: string;
  readonly stored: StoredFingerprints | undefined;
  readonly collection: Collection<StoredFingerprints>;
  readonly log: Logger;
}

export function createKnownTools({ serverId, stored, collection, log }: KnownToolsDeps): KnownTools {
  const read = (record: StoredFingerprints | undefined) => record && new Map(toFingerprintEntries(record.tools));
  let fingerprints = read(stored);
  const reportedTools = new Set<string>();
  const store = (next: ReadonlyMap<string, ToolFingerprint>) =>
    collection.put({ id: serverId, tools: [...next].map(([name, fingerprint]) => ({ name, ...fingerprint })) });
  const getPreviousDescription: KnownTools["getPreviousDescription"] = (tool) => {
    const before = fingerprints?.get(tool.name);
    if (!before) return undefined;
    const { hash, reads } = toFingerprint(tool);
    return before.hash !== hash || (before.reads ?? reads) !== reads ? before.description : undefined;
  };
  return {
    compare(tools) {
      for (const tool of tools) {
        const from = getPreviousDescription(tool);
        const { hash, description } = toFingerprint(tool);
        if (from === undefined || reportedTools.has(hash)) continue;
        reportedTools.add(hash);
        log.warn("a server has changed a tool", { server: serverId, tool: tool.name, from, to: description });
      }
      const noted = mergeFingerprints(fingerprints, tools);
      if (noted === fingerprints) return;
      fingerprints = noted;
      store(noted).catch((error: unknown) =>
        log.warn("the tools of a server could not be stored", { server: serverId, error }),
      );
    },
    isNew: ({ name }) => fingerprints !== undefined && !fingerprints.has(name),
    getPreviousDescription,
    load(record) {
      fingerprints = read(record) ?? fingerprints;
    },
    async accept(tools) {
      const next = new Map([
        ...(fingerprints ?? []),
        ...tools.map((tool) => [tool.name, toFingerprint(tool)] as const),
      ]);
      await store(next);
      fingerprints = next;
    },
  };
}

/** Returns true when the tool claims to be read-only. */
export function isReadOnly({ annotations }: RemoteTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
}

/** Merges fingerprints: all of them the first time; later only missing facts of unchanged tools. */
function mergeFingerprints(
  fingerprints: ReadonlyMap<string, ToolFingerprint> | undefined,
  tools: readonly RemoteTool[],
): Map<string, ToolFingerprint> {
  const now = tools.map((tool) => [tool.name, toFingerprint(tool)] as const);
  if (!fingerprints) return new Map(now);
  const missing = now.filter(([name, { hash }]) => {
    const before = fingerprints.get(name);
    return before?.reads === undefined && before?.hash === hash;
  });
  return missing.length === 0 ? (fingerprints as Map<string, ToolFingerprint>) : new Map([...fingerprints, ...missing]);
}

function toFingerprintEntries(tools: StoredFingerprints["tools"]): readonly (readonly [string, ToolFingerprint])[] {
  if (Array.isArray(tools)) return tools.map(({ name, ...fingerprint }) => [name, fingerprint]);
  return Object.entries(tools as Readonly<Record<string, ToolFingerprint>>);
}

function toFingerprint(tool: RemoteTool): ToolFingerprint {
  const { name, description = "", inputSchema } = tool;
  const hash = createHash("sha256")
    .update(JSON.stringify([name, description, inputSchema]))
    .digest("hex");
  return { hash, description: description.slice(0, MAX_STORED_DESCRIPTION), reads: isReadOnly(tool) };
}
