import type { Write } from "@parley/core";
import { createQueryId, type RootOperationNode } from "kysely";

const RAW = { kind: "RawNode", sqlFragments: [], parameters: [] } as RootOperationNode;

/** A statement whose text never changes: on the way of every message nothing is built anew. */
export function fixedStatement(sql: string, parameters: readonly unknown[]): Write {
  return { query: { compile: () => ({ sql, parameters, query: RAW, queryId: createQueryId() }) } };
}
