import { crc32, deflateRawSync } from "node:zlib";
import { fillDetail, type LocalizedError } from "@parley/core";
import { writeArchive } from "@parley/core/archive";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../harness/eventually.ts";
import type { Client } from "../harness/http/client.ts";
import { type Parley, startParley } from "../harness/parley.ts";

interface Job {
  readonly id: string;
  readonly status: string;
  readonly error: LocalizedError | null;
}
interface Listed {
  readonly items: readonly { readonly id: string; readonly title: string; readonly source: string }[];
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const DOCX = {
  "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>The lighthouse keeper counts gulls.</w:t></w:r></w:p></w:body></w:document>`,
};
const XLSX = {
  "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  "xl/worksheets/sheet1.xml": `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Fruit</t></is></c><c r="B1" t="inlineStr"><is><t>Price</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Quince</t></is></c><c r="B2"><v>7</v></c></row></sheetData></worksheet>`,
};
const EPUB = {
  "META-INF/container.xml": `<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
  "OPS/book.opf": `<package><metadata><dc:title>The Gull &amp; I</dc:title></metadata><manifest><item id="c1" href="one.xhtml"/></manifest><spine><itemref idref="c1"/></spine></package>`,
  "OPS/one.xhtml": `<html><body><h1>First night</h1><p>The foghorn answered twice.</p></body></html>`,
};

/** A PDF of one page with one line. */
function pdf(line: string): Uint8Array {
  const stream = `BT /F1 12 Tf 20 100 Td (${line}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const starts = objects.map((object, at) => {
    const start = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return start;
  });
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  text += `xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
  return utf8(text);
}

const zip = (files: Readonly<Record<string, string | Uint8Array>>) =>
  writeArchive(
    Object.entries(files).map(([name, content]) => ({
      name,
      bytes: typeof content === "string" ? utf8(content) : content,
    })),
  );

/** Builds a ZIP bomb: thirty million zeros in thirty thousand bytes. */
function createZipBomb(): Uint8Array {
  const name = Buffer.from("zeros.txt");
  const bytes = Buffer.alloc(30_000_000);
  const packed = deflateRawSync(bytes);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt32LE(crc32(bytes), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(bytes.length, 18);
  shared.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), shared, name, packed]);
  const entry = Buffer.concat([Buffer.from("PK\u0001\u0002\u0014\u0000"), shared, Buffer.alloc(14), name]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from("PK\u0005\u0006"), end]);
}

let parley: Parley;
let api: Client;

beforeAll(async () => {
  parley = await startParley();
  api = await parley.signIn();
}, 60_000);
afterAll(() => parley[Symbol.asyncDispose]());

/** Uploads a file and returns its finished job. */
async function read(name: string, given: Uint8Array | Promise<Uint8Array>, base_id = "files"): Promise<Job> {
  const bytes = await given;
  const form = new FormData();
  form.set("base_id", base_id);
  form.set("tags", "from a file");
  form.set("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), name);
  const response = await fetch(new URL("/api/knowledge/files", parley.address), {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}` },
    body: form,
  });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as {
    readonly data: { readonly items: readonly { readonly job_id: string }[] };
  };
  return waitForEnd(data.items[0]?.job_id ?? "");
}

async function waitForEnd(id: string): Promise<Job> {
  let job: Job | undefined;
  await eventually(async () => {
    job = await api.get<Job>(`/api/jobs/${id}`);
    expect(["done", "dead", "waiting"]).toContain(job.status);
    if (job.status === "waiting") expect(job.error).not.toBeNull();
  });
  return job as Job;
}

const documents = (base: string) => api.get<Listed>(`/api/knowledge?base_id=${base}`);
const findBest = async (query: string) => {
  const { items } = await api.post<{ items: readonly { title: string; heading: string; chunk: string }[] }>(
    "/api/knowledge/search",
    { query, top_k: 1 },
  );
  return items[0];
};

describe("a file becomes a document:", () => {
  test.each([
    ["notes.md", utf8("# Harbour\nThe crane is green."), "green crane", { title: "notes", heading: "Harbour" }],
    [
      "page.html",
      utf8(
        "<html><head><title>Tide table</title><script>alert('no')</script></head><body><h2>Ebb</h2><p>Low water at noon.</p></body></html>",
      ),
      "low water",
      { title: "Tide table", heading: "Ebb", chunk: "Low water at noon." },
    ],
    [
      "prices.csv",
      utf8('Fish,Price\n"Cod, dried",12\nHerring,4'),
      "dried cod",
      { chunk: expect.stringContaining("Fish: Cod, dried; Price: 12") },
    ],
    [
      "旧文.txt",
      Uint8Array.from([0xc0, 0xcb, 0xc9, 0xcf, 0xb5, 0xc4, 0xb5, 0xc6, 0xcb, 0xfe]),
      "老上的灯塔",
      undefined,
    ],
    ["keeper.docx", zip(DOCX), "who counts gulls", { title: "keeper", chunk: "The lighthouse keeper counts gulls." }],
    ["prices.xlsx", zip(XLSX), "quince price", { heading: "Prices", chunk: "Fruit: Quince; Price: 7" }],
    ["gull.epub", zip(EPUB), "foghorn", { title: "The Gull & I", heading: "First night" }],
    [
      "rope.pdf",
      pdf("A bowline never slips."),
      "bowline slips",
      { title: "rope", heading: "1", chunk: "A bowline never slips." },
    ],
  ] as const)("%s", async (name, bytes, query, expected) => {
    expect(await read(name, bytes)).toMatchObject({ status: "done" });
    if (expected) expect(await findBest(query)).toMatchObject(expected);
    expect((await documents("files")).items.map(({ source }) => source)).toContain(name);
  });

  test("an archive results in a document for each text in it, and unreadable files are reported", async () => {
    const job = await read(
      "box.zip",
      zip({
        "a/one.md": "# One\nanchor",
        "two.txt": "buoy",
        "bad.pdf": "%PDF-1.4 nothing",
        "pic.png": "x",
        ".hidden/x.txt": "no",
      }),
      "box",
    );
    expect(job.status).toBe("done");
    expect((await documents("box")).items.map(({ source }) => source).sort()).toEqual([
      "box.zip/a/one.md",
      "box.zip/two.txt",
    ]);
    const { logs } = await api.get<{ logs: readonly { text: string }[] }>(`/api/jobs/${job.id}`);
    expect(logs.map(({ text }) => text)).toContain("bad.pdf: the PDF is damaged");
  });

  test("the same file again replaces its own document, and nothing else", async () => {
    await read("again.txt", utf8("the first wording"), "again");
    await read("other.txt", utf8("untouched"), "again");
    await read("again.txt", utf8("the second wording"), "again");
    const { items } = await documents("again");
    expect(items.map(({ title }) => title).sort()).toEqual(["again", "other"]);
    expect((await findBest("wording"))?.chunk).toBe("the second wording");
  });
});

describe("unreadable content is reported by its job:", () => {
  test.each([
    ["a broken PDF", "broken.pdf", utf8("%PDF-1.7 and nothing"), "the PDF is damaged", /^PDF 已损坏$/],
    ["bytes of no kind", "thing.bin", Uint8Array.from([1, 0, 2, 0, 3]), "neither text nor", /^不是文本/],
    ["an empty file", "empty.txt", utf8("  \n "), "contains no text", /^其中没有文字$/],
    [
      "an archive with nothing readable",
      "bad.zip",
      zip({ "a.pdf": "%PDF-1.4 no" }),
      "read: a.pdf: the PDF is damaged",
      /：a\.pdf：PDF 已损坏$/,
    ],
    [
      "an archive with nothing to read",
      "pics.zip",
      zip({ "a.png": "x" }),
      "nothing that can be read",
      /^压缩包中没有可读取的文件$/,
    ],
  ])("%s", async (_what, name, bytes, why, zh) => {
    const job = await read(name, bytes, "bad");
    expect(job.error?.error).toContain(why);
    expect(fillDetail(job.error?.detail ?? {}, "zh")).toMatch(zh);
    expect((await documents("bad")).items).toEqual([]);
  });

  test("an archive that unpacks to more than a hundred times its size", async () => {
    const job = await read("bomb.zip", createZipBomb(), "bad");
    expect(job.error).not.toBeNull();
    expect((await documents("bad")).items).toEqual([]);
  });

  test("a page at a private address", async () => {
    const begun = await api.post<{ items: readonly { job_id: string }[] }>("/api/knowledge/pages", {
      url: `${parley.address}/`,
    });
    const job = await waitForEnd(begun.items[0]?.job_id ?? "");
    expect(job.error).not.toBeNull();
  });
});
