import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { AppError } from "@parley/core";
import type { PDFDocumentProxy } from "unpdf/pdfjs";
import { knowledgeTexts } from "../texts.ts";
import { normalizeWhitespace } from "./html-text.ts";

export interface PdfText {
  readonly text: string;
  /** Numbers of the pages without text, whose text can only be in pictures. */
  readonly picturePages: readonly number[];
}

/** Character maps and fonts, without which Chinese, Japanese and Korean texts have no characters. */
function locateData() {
  const folder = dirname(createRequire(import.meta.url).resolve("pdfjs-dist/package.json"));
  const toPath = (name: string) => `${join(folder, name)}/`;
  return { cMapUrl: toPath("cmaps"), cMapPacked: true, standardFontDataUrl: toPath("standard_fonts") };
}

/** Reads the text of a PDF page by page, with the values of its form. Throws `bad_request` for one that is locked, damaged or only pictures. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText> {
  const { getDocumentProxy } = await import("unpdf");
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, enableXfa: true, ...locateData() });
    const pages: string[] = [];
    for (let number = 1; number <= pdf.numPages; number += 1) pages.push(await readPage(pdf, number));
    const picturePages = pages.flatMap((page, at) => (page === "" ? [at + 1] : []));
    if (picturePages.length === pages.length) throw knowledgeTexts.error("bad_request", "no_text_in_pdf");
    if (isPlaceholder(pages, await pdf.getMetadata())) throw knowledgeTexts.error("bad_request", "dynamic_form");
    const parts = pages.map((page, at) => (page === "" ? "" : `## ${at + 1}\n\n${page}`)).filter(Boolean);
    return { text: normalizeWhitespace(parts.join("\n\n")), picturePages };
  } catch (error) {
    if (AppError.is(error)) throw error;
    const isLocked = (error as Error).name === "PasswordException";
    throw knowledgeTexts.error("bad_request", isLocked ? "encrypted" : "pdf_damaged");
  }
}

async function readPage(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  const text = items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
  const fields = (await page.getAnnotations()).map(toFieldText).filter(Boolean);
  return [text.trim(), ...fields].filter(Boolean).join("\n");
}

interface FieldAnnotation {
  readonly fieldName?: string;
  readonly fieldValue?: unknown;
  readonly alternativeText?: string;
  readonly checkBox?: boolean;
  readonly radioButton?: boolean;
}

/** Returns a filled field of a form as `name: value`; "" for an empty one, and for what is no field. */
function toFieldText({ fieldName, fieldValue, alternativeText }: FieldAnnotation): string {
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter((value) => typeof value === "string");
  const value = values.join(", ").trim();
  if (fieldName === undefined || value === "" || value === "Off") return "";
  return `${(alternativeText || fieldName).trim()}: ${value}`;
}

/** True for the page that a dynamic form (XFA) shows in readers that do not know it. */
function isPlaceholder(pages: readonly string[], { info }: { readonly info: object }): boolean {
  const hasForm = "IsXFAPresent" in info && info.IsXFAPresent === true;
  return hasForm && pages.length === 1 && /^please wait|adobe\.com\/go\/reader/i.test(pages[0] ?? "");
}
