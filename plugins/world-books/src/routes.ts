import { Readable } from "node:stream";
import Joi from "@hapi/joi";
import {
  type Part,
  type RawReply,
  type RouteTable,
  rawReply,
  route,
  splitCommaList,
  textOf,
  toFieldProblems,
  toSharedError,
  toValidationError,
  usageShape,
} from "@parley/core";
import {
  answerFields,
  attachmentNamed,
  batchData,
  deletedData,
  deletedReply,
  envelopeOf,
  itemFailureFields,
  listData,
  shape,
  warningFields,
} from "@parley/core/http";
import { type createTestMatch, testMatchBody, testMatchData } from "./activation/test-match.ts";
import type { Books } from "./books/books.ts";
import { compareBook, compareData } from "./books/compare.ts";
import { type createGeneration, generateBody } from "./books/generate.ts";
import type { ImportOptions, Packages } from "./books/packages.ts";
import { books as bookResource, entryResource, MAX_BATCH_SIZE } from "./books/schema.ts";
import { FORMATS, type Format } from "./formats/write-package.ts";
import { worldBooksTexts } from "./texts.ts";

const basePath = "/api/world-books";
const bookPath = `${basePath}/{book_id}`;
const MIB = 1_048_576;
const MAX_BOOK_BYTES = 8 * MIB;
const MAX_IMPORT_BYTES = 50 * MIB;
const IMPORT_TIMEOUT_MS = 120_000;

export interface RouteDeps {
  readonly books: Books;
  readonly packages: Packages;
  readonly generate: ReturnType<typeof createGeneration>;
  readonly testMatch: ReturnType<typeof createTestMatch>;
}

interface BatchBody {
  readonly entries: readonly unknown[];
  readonly atomic: boolean;
}
interface ExportQuery {
  readonly format: Format;
  readonly download: boolean;
}
interface ImportQuery {
  readonly name?: string;
  readonly character_ids?: string;
}

const anything = Joi.object().unknown();
const download = Joi.boolean().default(false);
const batchBody = Joi.object<BatchBody>({
  entries: Joi.array().items(Joi.any()).min(1).max(MAX_BATCH_SIZE).required(),
  atomic: Joi.boolean().default(false),
});
const { count, either, listOf, mapOf, record, time, word } = answerFields;
/** A book in our own format, a card's lorebook of either version, or a World Info file. */
const packageData = either(
  shape({ version: count, type: word("world_book"), exported_at: time, world_book: record }, "WorldBookPackage"),
  shape({ spec: word("lorebook_v3"), data: record }, "LorebookV3"),
  Joi.object({ entries: either(listOf(record), mapOf(record)).required() }).unknown(),
);
const packagesData = shape(
  { version: count, type: word("world_books_bundle"), exported_at: time, world_books: listOf(record), total: count },
  "WorldBooksBundle",
);
/** As a file, the export is the book itself, without an envelope. */
const exportedData = { "application/json": either(envelopeOf(packageData), packageData) };
const bundleData = { "application/json": either(envelopeOf(packagesData), packagesData) };
const entryErrors = answerFields.listOf(shape({ index: answerFields.count, ...itemFailureFields }, "BatchError"));
const importedData = shape({
  book: bookResource.item,
  imported_entries: answerFields.count,
  failed_entries: answerFields.count,
  errors: entryErrors,
  ...warningFields,
});
const importedAllData = shape({
  imported: answerFields.count,
  failed: answerFields.count,
  items: answerFields.listOf(shape({ index: answerFields.count, id: answerFields.id, name: answerFields.text })),
  errors: answerFields.listOf(shape({ index: answerFields.count, name: answerFields.text, ...itemFailureFields })),
});

/** Creates the routes of entries, import, export and tests; those of the book itself are its resource's. */
export function createWorldBookRoutes({ books, packages, generate, testMatch }: RouteDeps): RouteTable {
  return [
    route({
      method: "GET",
      path: `${bookPath}/entries`,
      scope: "read",
      summary: "list the entries of a world book",
      query: entryResource.listing,
      data: listData(entryResource.listed),
      run: ({ params, query }) => books.listEntries(params.book_id, query),
    }),
    route({
      method: "POST",
      path: `${bookPath}/entries`,
      scope: "write",
      summary: "add an entry",
      body: entryResource.draft,
      data: entryResource.item,
      run: ({ params, body }) => books.addEntry(params.book_id, body),
    }),
    route({
      method: "PUT",
      path: `${bookPath}/entries/{entry_id}`,
      scope: "write",
      summary: "change an entry",
      body: entryResource.patch,
      data: entryResource.item,
      run({ params, body, ifMatch }) {
        if (Object.keys(body).length === 0) throw toSharedError("bad_request", "nothing_to_update", {});
        return books.changeEntry(params.book_id, params.entry_id, body, ifMatch);
      },
    }),
    route({
      method: "DELETE",
      path: `${bookPath}/entries/{entry_id}`,
      scope: "write",
      summary: "delete an entry",
      data: deletedData,
      async run({ params, ifMatch }) {
        await books.removeEntry(params.book_id, params.entry_id, ifMatch);
        return deletedReply(params.entry_id);
      },
    }),
    route({
      method: "POST",
      path: `${bookPath}/entries/batch`,
      scope: "write",
      summary: "add several entries",
      maxBytes: MAX_IMPORT_BYTES,
      body: batchBody,
      data: batchData(["created"], { items: answerFields.listOf(entryResource.item) }),
      run: ({ params, body }) => books.addEntries(params.book_id, body.entries, body.atomic),
    }),
    route({
      method: "POST",
      path: `${bookPath}/ai-generate`,
      scope: "write",
      summary: "let a model write entries",
      timeoutMs: false,
      body: generateBody,
      data: shape({
        created: answerFields.count,
        items: answerFields.listOf(createGeneratedEntrySchema()),
        usage: usageShape,
      }),
      run: ({ params, body, signal }) => generate(params.book_id, body, signal),
    }),
    route({
      method: "POST",
      path: `${basePath}/test-match`,
      scope: "read",
      summary: "test which entries a text would activate, and why",
      maxBytes: MAX_BOOK_BYTES,
      body: testMatchBody,
      data: testMatchData,
      run: ({ body }) => testMatch(body),
    }),
    route({
      method: "POST",
      path: `${bookPath}/compare`,
      scope: "read",
      summary: "compare a world book with a newer file",
      payload: "json-or-file",
      maxBytes: MAX_IMPORT_BYTES,
      timeoutMs: IMPORT_TIMEOUT_MS,
      body: anything,
      data: compareData,
      run: ({ params, body }) => compareBook(books, params.book_id, body),
    }),
    ...createPackageRoutes(packages),
  ];
}

function createPackageRoutes(packages: Packages): RouteTable {
  return [
    route({
      method: "GET",
      path: `${basePath}/export/{book_id}`,
      scope: "read",
      summary: "export a world book",
      query: Joi.object<ExportQuery>({ format: Joi.valid(...FORMATS).default("native"), download }),
      reply: "raw",
      data: exportedData,
      async run({ params, query }) {
        const { book, data } = await packages.export(params.book_id, query.format);
        return toPackageReply(streamJson(data), query.download, book.name);
      },
    }),
    route({
      method: "POST",
      path: `${basePath}/import`,
      scope: "write",
      summary: "import a world book",
      payload: "json-or-file",
      maxBytes: MAX_IMPORT_BYTES,
      timeoutMs: IMPORT_TIMEOUT_MS,
      query: Joi.object<ImportQuery>({ name: textOf(100).trim().min(1), character_ids: Joi.string().max(10_000) }),
      body: anything,
      data: importedData,
      run: ({ body, query, parts }) => packages.import(body, readImportOptions(query, parts)),
    }),
    route({
      method: "GET",
      path: `${basePath}/export-all`,
      scope: "read",
      summary: "export all world books",
      timeoutMs: IMPORT_TIMEOUT_MS,
      query: Joi.object<Pick<ExportQuery, "download">>({ download }),
      reply: "raw",
      data: bundleData,
      run: ({ query }) => toPackageReply(packages.exportAll(), query.download, "world-books"),
    }),
    route({
      method: "POST",
      path: `${basePath}/import-all`,
      scope: "write",
      summary: "import several world books",
      payload: "json-or-file",
      maxBytes: MAX_IMPORT_BYTES,
      timeoutMs: IMPORT_TIMEOUT_MS,
      body: anything,
      data: importedAllData,
      run: ({ body }) => packages.importAll(body),
    }),
  ];
}

/** Returns the export as a file, or in the response envelope. */
function toPackageReply(text: AsyncIterable<string>, isFile: boolean, name: string): RawReply {
  const type = "application/json";
  if (!isFile) return rawReply({ type, body: toByteStream(wrapInEnvelope(text)), headers: NO_STORE_HEADERS });
  const headers = {
    ...NO_STORE_HEADERS,
    "content-disposition": attachmentNamed(`${name.trim() || "world-book"}.json`),
  };
  return rawReply({ type, body: toByteStream(text), headers });
}

const NO_STORE_HEADERS = { "cache-control": "no-store" };

async function* wrapInEnvelope(text: AsyncIterable<string>): AsyncGenerator<string> {
  yield '{"success":true,"data":';
  yield* text;
  yield ',"message":""}';
}

async function* streamJson(json: object): AsyncGenerator<string> {
  yield JSON.stringify(json);
}

function toByteStream(text: AsyncIterable<string>): Readable {
  return Readable.from(text, { objectMode: false });
}

/** Reads the options of an import from the query, or from form parts of the same names. */
function readImportOptions(query: ImportQuery, parts: readonly Part[]): ImportOptions {
  const textIn = (name: string) => {
    const part = parts.find((each) => each.name === name && each.filename === undefined);
    return part && Buffer.from(part.bytes).toString("utf8");
  };
  const name = query.name ?? textIn("name");
  const ids = query.character_ids ?? textIn("character_ids");
  const asked = {
    ...(name !== undefined && { name }),
    ...(ids !== undefined && { character_ids: parseIds(ids) }),
  };
  const { value, error } = bookResource.patch.validate(asked, { errors: { label: false } });
  if (error) throw toValidationError(toFieldProblems(error).slice(0, 1), "book");
  return value;
}

/** Parses a list of ids in JSON, or separated by commas. */
function parseIds(text: string): unknown {
  if (!text.trimStart().startsWith("[")) return splitCommaList(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw worldBooksTexts.error("bad_request", "no_list", {}, { field: "character_ids", cause });
  }
}

/** Returns the schema of a generated entry, which has no id yet. */
function createGeneratedEntrySchema(): Joi.Schema {
  return Joi.alternatives(entryResource.item, anything);
}
