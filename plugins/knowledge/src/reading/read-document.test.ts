import { readFileSync } from "node:fs";
import { AppError } from "@parley/core";
import { writeArchive } from "@parley/core/archive";
import { passagesOf } from "@parley/core/text";
import { describe, expect, test } from "vitest";
import { readDocument } from "./read-document.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const sample = (name: string) => new Uint8Array(readFileSync(new URL(`../../samples/${name}`, import.meta.url)));
const read = async (name: string, bytes: Uint8Array | string) => {
  const { texts } = await readDocument({ name, bytes: typeof bytes === "string" ? utf8(bytes) : bytes });
  return texts[0]?.text;
};
const fail = async (name: string, bytes: Uint8Array) => {
  const error: unknown = await readDocument({ name, bytes }).catch((cause: unknown) => cause);
  if (!AppError.is(error)) throw new Error("it was read");
  return error.detail?.key;
};
const pack = (files: Readonly<Record<string, string>>) =>
  writeArchive(Object.entries(files).map(([name, text]) => ({ name, bytes: utf8(text) })));

describe("a PDF", () => {
  test("with a Chinese character map gives its characters", async () => {
    expect(await read("lamp.pdf", sample("gbk-euc.pdf"))).toBe("## 1\n\n灯塔的钥匙在蓝色盒子里");
  });

  test("with a form gives the values that were entered", async () => {
    expect(await read("form.pdf", sample("form.pdf"))).toContain("keeper: Odilia Brandt");
  });
});

describe("a page", () => {
  test("has the text of its forms, and tables as rows below their head", async () => {
    const page = `<html><body><form action="/x"><h1>Returns</h1><p>Within 42 days.</p>
      <table><tr><th>Item</th><th>Fee</th></tr><tr><td>Lamp <b>red</b></td><td>4&nbsp;EUR | net</td></tr><tr><td>Chair</td></tr></table>
      <select><option>one</option></select><button>Send</button></form></body></html>`;
    expect(await read("returns.html", page)).toBe(
      "# Returns\n\nWithin 42 days.\n\n| Item | Fee |\n| --- | --- |\n| Lamp red | 4 EUR \\| net |\n| Chair |  |",
    );
  });

  test("that places its parts by tables has them as paragraphs, and unclosed tables lose nothing", async () => {
    const layout = `<html><table><tr><td><p>Left</p></td><td><table><tr><td>A</td><td>B</td></tr><tr><td>1</td><td>2</td></tr></table></td></tr></table>`;
    expect(await read("layout.html", layout)).toBe("Left\n\n| A | B |\n| --- | --- |\n| 1 | 2 |");
    expect(await read("open.html", "<html><p>before<table><tr><td>one<td>two<tr><td>three<td>four")).toBe(
      "before\n\n| one | two |\n| --- | --- |\n| three | four |",
    );
    expect(await read("single.html", "<html><table><tr><td>only</td></tr></table>after")).toBe("only\n\nafter");
  });
});

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;

test("a Word document has its tables as rows, its headers, and its comments", async () => {
  const table = `<w:tbl><w:tr>${cell("Item")}${cell("Fee")}</w:tr><w:tr>${cell("Lamp")}${cell("4 EUR")}</w:tr></w:tbl>`;
  const bytes = await pack({
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `<w:document ${WORD}><w:body>${paragraph("Fees")}${table}</w:body></w:document>`,
    "word/header1.xml": `<w:hdr ${WORD}>${paragraph("Lighthouse Ltd.")}</w:hdr>`,
    "word/header2.xml": `<w:hdr ${WORD}>${paragraph("Lighthouse Ltd.")}</w:hdr>`,
    "word/comments.xml": `<w:comments ${WORD}><w:comment>${paragraph("Too low?")}</w:comment></w:comments>`,
  });
  expect(await read("fees.docx", bytes)).toBe(
    "Lighthouse Ltd.\n\nFees\n\n| Item | Fee |\n| --- | --- |\n| Lamp | 4 EUR |\n\n## Comments\n\nToo low?",
  );
});

describe("a book (EPUB)", () => {
  const container = (path: string) =>
    `<container><rootfiles><rootfile media-type="application/oebps-package+xml" full-path='${path}'/></rootfiles></container>`;
  const book = `<opf:package xmlns:opf="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <opf:metadata><dc:title id="t">The &amp; Beacon</dc:title></opf:metadata>
    <opf:manifest><opf:item href='text/one%20two.xhtml' id="c1"/><opf:item id="f1" href="font.otf"/></opf:manifest>
    <opf:spine><opf:itemref idref="c1"/><opf:itemref idref="gone"/></opf:spine></opf:package>`;
  const files = {
    "META-INF/container.xml": container("OPS/book.opf"),
    "OPS/book.opf": book,
    "OPS/text/one two.xhtml": "<html><body><h1>One</h1><p>Forty gulls.</p></body></html>",
  };
  const encrypt = (name: string) =>
    `<encryption><enc:EncryptedData xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:CipherData><enc:CipherReference URI="${name}"/></enc:CipherData></enc:EncryptedData></encryption>`;

  test("is read with prefixes and either quotes", async () => {
    const { texts } = await readDocument({ name: "b.epub", bytes: await pack(files) });
    expect(texts).toMatchObject([{ title: "The & Beacon", text: "# One\n\nForty gulls." }]);
  });

  test("says that it is encrypted, unless only its fonts are", async () => {
    const locked = await pack({ ...files, "META-INF/encryption.xml": encrypt("OPS/text/one%20two.xhtml") });
    expect(await fail("b.epub", locked)).toBe("knowledge.encrypted");
    const open = await pack({ ...files, "META-INF/encryption.xml": encrypt("OPS/font.otf") });
    expect(await read("b.epub", open)).toContain("Forty gulls.");
  });
});

describe("rich text (RTF)", () => {
  test("gives paragraphs, characters of its code page and of Unicode, and tables", async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}}{\*\generator Writer;}
{\info{\title hidden}}\pard B\'fccherei\par \u28783?\u22612?, caf\u233\'e9 \{5\}\par
\trowd\cellx100\cellx200 Item\cell Fee\cell\row Lamp\cell 4 \u8364?\cell\row}`;
    expect(await read("a.rtf", rtf)).toBe("Bücherei\n灯塔, café {5}\n\nItem | Fee\nLamp | 4 €");
  });

  test("in Chinese is decoded by its code page, and broken groups do not end it", async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg936 \'b5\'c6\'cb\'fe\par}}} more`;
    expect(await read("a.rtf", rtf)).toBe("灯塔\nmore");
  });
});

test("single null bytes are dropped, and a file of the old Office is named", async () => {
  expect(await read("alarm.txt", `Alarm 4711 was raised by host alpha.\0\0 Second line after the bytes.`)).toBe(
    "Alarm 4711 was raised by host alpha. Second line after the bytes.",
  );
  const old = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ...new Array<number>(64).fill(0));
  expect(await fail("sheet.xls", old)).toBe("knowledge.old_office");
});

test("each passage of a long table has its head", async () => {
  const rows = Array.from({ length: 40 }, (_, at) => `<tr><td>Lamp number ${at}</td><td>${at} EUR</td></tr>`).join("");
  const text = await read("t.html", `<html><h1>Fees</h1><table><tr><th>Item</th><th>Fee</th></tr>${rows}</table>`);
  const passages = passagesOf(text ?? "");
  expect(passages.length).toBeGreaterThan(2);
  for (const passage of passages) expect(passage.text).toContain("| Item | Fee |");
  for (let at = 0; at < 40; at += 1)
    expect(passages.some((passage) => passage.text.includes(`| Lamp number ${at} | ${at} EUR |`))).toBe(true);
});
