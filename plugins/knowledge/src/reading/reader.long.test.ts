import { deflateSync } from "node:zlib";
import type { AppError } from "@parley/core";
import { expect, test } from "vitest";
import { readFile } from "./reader.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const never = new AbortController().signal;

/** Creates a PDF page whose content unpacks to `bytes` bytes, in a file of a few hundred kilobytes. */
function createHeavyPdf(bytes: number): Uint8Array {
  const content = deflateSync(Buffer.alloc(bytes, "1 0 0 1 0 0 cm\n"));
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj
4 0 obj<</Length ${content.length}/Filter/FlateDecode>>stream
`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from("\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF")]);
}

test("heavy documents end within their limits of time and memory, and do not delay others", async () => {
  const begun = performance.now();
  const heavy = Array.from({ length: 4 }, (_, at) =>
    readFile({ name: `${at}.pdf`, bytes: createHeavyPdf(300_000_000) }, never, { shortMs: 2_000, longMs: 4_000 }).catch(
      (error: unknown) => error,
    ),
  );
  const { texts } = await readFile({ name: "a.txt", bytes: utf8("anchor") }, never);
  const waitedMs = performance.now() - begun;
  for (const error of await Promise.all(heavy))
    expect(["knowledge.late", "knowledge.memory"]).toContain((error as AppError).detail?.key);
  expect(texts[0]?.text).toBe("anchor");
  expect(waitedMs).toBeLessThan(performance.now() - begun);
}, 90_000);
