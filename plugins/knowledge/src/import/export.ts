import { Readable } from "node:stream";
import { type RawReply, rawReply } from "@parley/core";
import { attachmentNamed } from "@parley/core/http";
import type { DocumentStore } from "../documents/document-store.ts";
import type { ExportQuery } from "../schema.ts";

const ENVELOPE = ['{"success":true,"data":', ',"message":""}'] as const;

/** Streams all documents without their index, so that they are never all in memory. */
export function createExport(store: DocumentStore, { base_id, download }: ExportQuery, now: number): RawReply {
  const text = writePackage(store, base_id, now);
  const headers = {
    "cache-control": "no-store",
    ...(download && { "content-disposition": attachmentNamed("knowledge.json") }),
  };
  const body = Readable.from(download ? text : wrapInEnvelope(text), { objectMode: false });
  return rawReply({ body, type: "application/json", headers });
}

async function* writePackage(store: DocumentStore, baseId: string | undefined, now: number): AsyncGenerator<string> {
  const exported_at = new Date(now).toISOString();
  yield `{"version":1,"type":"knowledge_export","exported_at":"${exported_at}","documents":[`;
  let total = 0;
  for await (const { title, content, source, tags, base_id, metadata, created_at } of store.iterate(baseId)) {
    yield `${total > 0 ? "," : ""}${JSON.stringify({ title, content, source, tags, base_id, metadata, created_at })}`;
    total += 1;
  }
  yield `],"total":${total}}`;
}

async function* wrapInEnvelope(text: AsyncGenerator<string>): AsyncGenerator<string> {
  yield ENVELOPE[0];
  yield* text;
  yield ENVELOPE[1];
}
