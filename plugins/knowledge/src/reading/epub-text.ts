import { posix } from "node:path";
import type { ArchiveEntry } from "@parley/core/archive";
import { Parser } from "htmlparser2";
import { knowledgeTexts } from "../texts.ts";
import { htmlToText, normalizeWhitespace } from "./html-text.ts";
import { decodePlainText } from "./plain-text.ts";

const MAX_ENTRY = 50 * 1024 * 1024;

type Entries = ReadonlyMap<string, ArchiveEntry>;

/** An element of an XML file, without the prefix of its namespace. */
interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Reads a book in the order of its spine. Throws `bad_request` when its chapters are encrypted. */
export async function readEpub(
  entries: Entries,
  fallback: string,
): Promise<{ readonly title: string; readonly text: string }> {
  const container = await readXml(entries, "META-INF/container.xml");
  const packagePath = container.find(({ name }) => name === "rootfile")?.attributes["full-path"] ?? "";
  const elements = await readXml(entries, packagePath);
  const toPath = (href = "") => posix.join(posix.dirname(packagePath), decodeUri(href.split("#")[0] ?? ""));
  const hrefs = new Map(
    elements.flatMap(({ name, attributes }) => (name === "item" ? [[attributes.id, attributes.href]] : [])),
  );
  const chapters = elements
    .filter(({ name }) => name === "itemref")
    .flatMap(({ attributes }) => (hrefs.has(attributes.idref) ? [toPath(hrefs.get(attributes.idref))] : []));
  const encrypted = await listEncrypted(entries);
  if (chapters.some((path) => encrypted.has(path))) throw knowledgeTexts.error("bad_request", "encrypted");
  const parts: string[] = [];
  for (const path of chapters) parts.push(htmlToText(await readText(entries, path)).text);
  const title = elements
    .find(({ name }) => name === "title")
    ?.text.replaceAll(/\s+/g, " ")
    .trim();
  return { title: title || fallback, text: normalizeWhitespace(parts.join("\n\n")) };
}

/** Lists the files that only a reader with the book's key can open; fonts may be among them in any book. */
async function listEncrypted(entries: Entries): Promise<ReadonlySet<string>> {
  const elements = await readXml(entries, "META-INF/encryption.xml");
  const references = elements.filter(({ name }) => name === "CipherReference");
  return new Set(references.map(({ attributes }) => posix.normalize(decodeUri(attributes.URI ?? ""))));
}

async function readText(entries: Entries, name: string): Promise<string> {
  return decodePlainText((await entries.get(name)?.bytes(MAX_ENTRY)) ?? new Uint8Array());
}

/** Returns the elements of an XML file in order; none for a missing file. */
async function readXml(entries: Entries, name: string): Promise<readonly XmlElement[]> {
  const elements: XmlElement[] = [];
  const open: XmlElement[] = [];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const element = { name: tag.slice(tag.indexOf(":") + 1), attributes, text: "" };
        elements.push(element);
        open.push(element);
      },
      ontext(text) {
        const element = open.at(-1);
        if (element) element.text += text;
      },
      onclosetag: () => void open.pop(),
    },
    { xmlMode: true },
  );
  parser.end(await readText(entries, name));
  return elements;
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A single percent sign is part of the name.
    return text;
  }
}
