import { deflateSync } from "node:zlib";
import { AppError, saidOf, writeArchive } from "@parley/core";
import { expect, test } from "vitest";
import { readFile } from "./reader.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const never = new AbortController().signal;

test.each([
  ["a broken PDF", "%PDF-1.7 and nothing", "PDF 已损坏"],
  ["bytes of no kind", "\u0001\u0000\u0002", "不是文本，也不是已知的文件类型"],
  ["nothing", " \n", "其中没有文字"],
])("why %s cannot be read comes out of the thread in both languages", async (_what, text, zh) => {
  const error = await readFile({ name: "given", bytes: utf8(text) }, never).catch((cause: unknown) => cause);
  expect(saidOf(error as AppError)).toEqual({ en: (error as AppError).message, zh });
});

test("so does why a file of an archive cannot", async () => {
  const bytes = await writeArchive([
    { name: "a.txt", bytes: utf8("anchor") },
    { name: "b.pdf", bytes: utf8("%PDF-1.4 no") },
  ]);
  const { failed } = await readFile({ name: "box.zip", bytes }, never);
  expect(failed).toMatchObject([
    { name: "b.pdf", failure: { error: "the PDF is damaged", detail: { chinese: "PDF 已损坏" } } },
  ]);
});

test("what takes too long is said to", async () => {
  const late = await readFile({ name: "a.txt", bytes: utf8("anchor") }, never, { shortMs: 0, longMs: 0 }).catch(
    (cause: unknown) => cause,
  );
  expect(AppError.is(late) && saidOf(late).zh).toBe("读取时间过长");
});

/** A PDF page whose content unpacks to `bytes` bytes; the file itself has a few hundred kilobytes. */
function heavyPdf(bytes: number): Uint8Array {
  const content = deflateSync(Buffer.alloc(bytes, "1 0 0 1 0 0 cm\n"));
  const head = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj
4 0 obj<</Length ${content.length}/Filter/FlateDecode>>stream
`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from("\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF")]);
}

test("heavy documents are ended within their limits of time and memory, and keep no others waiting", async () => {
  const begun = performance.now();
  const heavy = Array.from({ length: 4 }, (_, at) =>
    readFile({ name: `${at}.pdf`, bytes: heavyPdf(300_000_000) }, never, { shortMs: 2_000, longMs: 4_000 }).catch(
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
