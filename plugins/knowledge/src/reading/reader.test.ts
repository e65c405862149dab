import { AppError, toLocalized } from "@parley/core";
import { writeArchive } from "@parley/core/archive";
import { expect, test } from "vitest";
import { readFile } from "./reader.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const never = new AbortController().signal;

test.each([
  ["a broken PDF", "%PDF-1.7 and nothing", "PDF 已损坏"],
  ["bytes of no kind", "\u0001\u0000\u0002", "不是文本，也不是已知的文件类型"],
  ["nothing", " \n", "其中没有文字"],
])("the reason that %s cannot be read has both languages", async (_what, text, zh) => {
  const error = await readFile({ name: "given", bytes: utf8(text) }, never).catch((cause: unknown) => cause);
  expect(toLocalized(error as AppError)).toEqual({ en: (error as AppError).message, zh });
});

test("the reason that a file in an archive cannot be read has both languages", async () => {
  const bytes = await writeArchive([
    { name: "a.txt", bytes: utf8("anchor") },
    { name: "b.pdf", bytes: utf8("%PDF-1.4 no") },
  ]);
  const { failed } = await readFile({ name: "box.zip", bytes }, never);
  expect(failed).toMatchObject([
    { name: "b.pdf", failure: { error: "the PDF is damaged", detail: { key: "knowledge.pdf_damaged" } } },
  ]);
});

test("a document that takes too long is reported as such", async () => {
  const late = await readFile({ name: "a.txt", bytes: utf8("anchor") }, never, { shortMs: 0, longMs: 0 }).catch(
    (cause: unknown) => cause,
  );
  expect(AppError.is(late) && toLocalized(late).zh).toBe("读取时间过长");
});
