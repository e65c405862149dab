import { writeArchive } from "@parley/core/archive";

const XML = '<?xml version="1.0"?>';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

type Kind = "docx" | "pptx" | "odt";

const FILES_BY_KIND: Readonly<Record<Kind, (words: string) => Readonly<Record<string, string>>>> = {
  docx: (words) => ({
    "[Content_Types].xml": `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>${words}</w:t></w:r></w:p></w:body></w:document>`,
  }),
  pptx: (words) => ({
    "ppt/presentation.xml": `${XML}<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"/>`,
    "ppt/slides/slide1.xml": `${XML}<p:sld xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:p><a:r><a:t>${words}</a:t></a:r></a:p></p:sld>`,
  }),
  odt: (words) => ({
    "META-INF/manifest.xml": `${XML}<manifest:manifest/>`,
    "content.xml": `${XML}<office:document-content><office:body><office:text><text:p>${words}</text:p></office:text></office:body></office:document-content>`,
  }),
};

/** Creates a small file of an office program that contains these words. */
export async function createOfficeFile(kind: Kind, words: string): Promise<Uint8Array<ArrayBuffer>> {
  const files = Object.entries(FILES_BY_KIND[kind](words)).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  return new Uint8Array(await writeArchive(files));
}
