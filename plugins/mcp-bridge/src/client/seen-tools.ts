import { createHash } from "node:crypto";
import type { Tool as RemoteTool } from "@modelcontextprotocol/sdk/types.js";
import type { Collection, Logger } from "@parley/core";

const KEPT_DESCRIPTION = 500;

/** How a tool was when it was first seen. */
interface Mark {
  readonly hash: string;
  readonly description: string;
  /** It said that it only looks; absent in what was kept before that was. */
  readonly reads?: boolean;
}

/** As it is kept. */
export interface StoredMarks {
  readonly id: string;
  /** A list, for names are of strangers; an object in what was kept before. */
  readonly tools: readonly (Mark & { readonly name: string })[] | Readonly<Record<string, Mark>>;
}

/**
 * What is known of one server's tools from before. What a server had when it was first connected counts as seen; what comes
 * later, or comes back as another, waits until an administrator has looked at it.
 */
export interface SeenTools {
  /** Compares with what the server has now. */
  note(tools: readonly RemoteTool[]): void;
  /** It has come after the server was first connected, and nobody has looked at it. */
  isNew(tool: RemoteTool): boolean;
  /** What it said of itself before, where it is another one now. */
  changedFrom(tool: RemoteTool): string | undefined;
  /** What another process has kept. */
  take(stored: StoredMarks | undefined): void;
  /** From now on these count as first seen as they are. */
  accept(tools: readonly RemoteTool[]): Promise<void>;
}

export interface SeenToolsParts {
  readonly serverId: string;
  readonly stored: StoredMarks | undefined;
  readonly collection: Collection<StoredMarks>;
  readonly log: Logger;
}

export function createSeenTools({ serverId, stored, collection, log }: SeenToolsParts): SeenTools {
  const read = (kept: StoredMarks | undefined) => kept && new Map(entriesOf(kept.tools));
  let marks = read(stored);
  const told = new Set<string>();
  const keep = (next: ReadonlyMap<string, Mark>) =>
    collection.put({ id: serverId, tools: [...next].map(([name, mark]) => ({ name, ...mark })) });
  const changedFrom: SeenTools["changedFrom"] = (tool) => {
    const before = marks?.get(tool.name);
    if (!before) return undefined;
    const { hash, reads } = markOf(tool);
    return before.hash !== hash || (before.reads ?? reads) !== reads ? before.description : undefined;
  };
  return {
    note(tools) {
      for (const tool of tools) {
        const from = changedFrom(tool);
        const { hash, description } = markOf(tool);
        if (from === undefined || told.has(hash)) continue;
        told.add(hash);
        log.warn("a server has changed a tool", { server: serverId, tool: tool.name, from, to: description });
      }
      const noted = withNoted(marks, tools);
      if (noted === marks) return;
      marks = noted;
      keep(noted).catch((error: unknown) => log.warn("tools could not be noted", { server: serverId, error }));
    },
    isNew: ({ name }) => marks !== undefined && !marks.has(name),
    changedFrom,
    take(kept) {
      marks = read(kept) ?? marks;
    },
    async accept(tools) {
      const next = new Map([...(marks ?? []), ...tools.map((tool) => [tool.name, markOf(tool)] as const)]);
      await keep(next);
      marks = next;
    },
  };
}

/** It only looks, as it says itself. */
export function isReadOnly({ annotations }: RemoteTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
}

/** All of them the first time; later only what was not kept yet of those that are known. */
function withNoted(marks: ReadonlyMap<string, Mark> | undefined, tools: readonly RemoteTool[]): Map<string, Mark> {
  const now = tools.map((tool) => [tool.name, markOf(tool)] as const);
  if (!marks) return new Map(now);
  const missing = now.filter(([name, { hash }]) => {
    const before = marks.get(name);
    return before?.reads === undefined && before?.hash === hash;
  });
  return missing.length === 0 ? (marks as Map<string, Mark>) : new Map([...marks, ...missing]);
}

function entriesOf(tools: StoredMarks["tools"]): readonly (readonly [string, Mark])[] {
  if (Array.isArray(tools)) return tools.map(({ name, ...mark }) => [name, mark]);
  return Object.entries(tools as Readonly<Record<string, Mark>>);
}

function markOf(tool: RemoteTool): Mark {
  const { name, description = "", inputSchema } = tool;
  const hash = createHash("sha256")
    .update(JSON.stringify([name, description, inputSchema]))
    .digest("hex");
  return { hash, description: description.slice(0, KEPT_DESCRIPTION), reads: isReadOnly(tool) };
}
