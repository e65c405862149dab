import Joi from "@hapi/joi";
import {
  type AppError,
  charsetOf,
  type Egress,
  type Files,
  type ItemFailure,
  type JobContext,
  type JobKind,
  type Jobs,
  jobKind,
  localizeMessage,
  newId,
  splitCommaList,
  toSchemaError,
  type UploadPart,
} from "@parley/core";
import type { Documents } from "../documents/documents.ts";
import type { SourceFile, UnreadableFile } from "../reading/read-document.ts";
import { readFile } from "../reading/reader.ts";
import { type DocumentDraft, documentDraft, MAX_CONTENT } from "../schema.ts";
import { knowledgeTexts } from "../texts.ts";

const MAX_FILES = 20;
/** Maximum length of a source without its part number. */
const MAX_PATH_CHARS = 480;
const MAX_PAGE_BYTES = 20 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const EXTENSION_BY_TYPE: Readonly<Record<string, string>> = {
  "text/html": ".html",
  "application/xhtml+xml": ".html",
  "text/csv": ".csv",
  "text/markdown": ".md",
  "application/json": ".json",
  "text/plain": ".txt",
};

export interface ImportJob {
  /** Origin of the bytes: a stored file, or a web address. */
  readonly from: "file" | "web";
  readonly url: string;
  readonly name: string;
  readonly base_id: string;
  readonly tags: readonly string[];
}

export interface ImporterDeps {
  readonly documents: () => Documents;
  readonly files: () => Files | undefined;
  readonly egress: () => Egress;
  readonly jobs: () => Jobs | undefined;
}

export interface ImportStarted {
  readonly items: readonly { readonly job_id: string; readonly name: string }[];
  readonly failed: readonly ({ readonly name: string } & ItemFailure)[];
}

export type ImportOptions = Pick<ImportJob, "base_id" | "tags">;

/** Imports files and pages as documents, one job each; interrupted jobs continue after a restart. */
export interface Importer {
  /** Stores the files of an upload and queues them. */
  importUpload(parts: AsyncIterable<UploadPart>, signal: AbortSignal): Promise<ImportStarted>;
  importPage(url: string, options: ImportOptions): Promise<ImportStarted>;
  readonly job: JobKind;
}

export function createImporter({ documents, files, egress, jobs }: ImporterDeps): Importer {
  const enqueue = async (job: ImportJob) => {
    const there = jobs();
    if (!there) throw knowledgeTexts.error("unavailable", "no_jobs");
    const { jobId } = await there.add("knowledge.import", job, { key: newId("import") });
    return { job_id: jobId, name: job.name };
  };
  const loadFile = async (job: ImportJob, signal: AbortSignal): Promise<SourceFile> => {
    if (job.from === "web") return fetchPage(egress(), job.url, signal);
    const there = files();
    if (!there) throw knowledgeTexts.error("unavailable", "no_file_store");
    return { name: job.name, bytes: await (await there.open(job.url)).bytes() };
  };
  const run = async (job: ImportJob, { signal, progress, log }: JobContext) => {
    progress(0.1, job.name);
    const { texts, failed } = await readFile(await loadFile(job, signal), signal);
    let count = 0;
    for (const { name, title, text } of texts) {
      signal.throwIfAborted();
      for (const [part, draft] of toDrafts({ name, title, text }, job).entries()) {
        const stored = await documents().put(draft);
        const count = stored.chunk_count;
        log(
          part > 0
            ? knowledgeTexts.message("stored_part", { name, part: part + 1, count })
            : knowledgeTexts.message("stored", { name, count }),
        );
      }
      count += 1;
      progress(0.1 + (0.9 * count) / texts.length, name);
    }
    for (const { name, failure } of failed) {
      log(knowledgeTexts.message("not_read", { name, reason: localizeMessage(failure.error, failure.detail) }));
    }
    const [first] = failed;
    if (texts.length === 0 && first) throw createNothingReadableError(first);
  };
  return {
    async importUpload(parts, signal) {
      const there = files();
      if (!there) throw knowledgeTexts.error("unavailable", "no_file_store");
      const stored: { readonly url: string; readonly name: string }[] = [];
      const fields: Record<string, string> = {};
      for await (const part of parts) {
        if ("value" in part) fields[part.name] = part.value;
        else if (stored.length === MAX_FILES) throw createTooManyFilesError();
        else {
          const { url, name } = await there.put(part.body, { name: part.filename }, signal);
          stored.push({ url, name: toFolderPath(part.filename) ?? name });
        }
      }
      if (stored.length === 0) throw knowledgeTexts.error("bad_request", "required", {}, { field: "file" });
      const options = parseOptions(fields);
      const items = await Promise.all(stored.map(({ url, name }) => enqueue({ from: "file", url, name, ...options })));
      return { items, failed: [] };
    },
    async importPage(url, options) {
      return { items: [await enqueue({ from: "web", url, name: url, ...options })], failed: [] };
    },
    job: jobKind<ImportJob>({
      kind: "knowledge.import",
      titles: { en: "Read a document", zh: "读取文档" },
      schema: Joi.object({
        from: Joi.valid("file", "web").required(),
        url: Joi.string().required(),
        name: Joi.string().required(),
        base_id: Joi.string().required(),
        tags: Joi.array().items(Joi.string()).default([]),
      }),
      // An unreadable file stays unreadable, but a page may load the second time.
      retry: { attempts: 2, firstDelayMs: 5_000, maxDelayMs: 5_000 },
      // More than are read at the same time, so that large files that wait do not block the others.
      concurrency: 16,
      timeoutMs: 30 * 60_000,
      run,
    }),
  };
}

function createTooManyFilesError(): AppError {
  return knowledgeTexts.error("bad_request", "many_files", { most: MAX_FILES }, { field: "file" });
}

/** Creates the localized error of an archive without a readable file, with the reason for its first one. */
function createNothingReadableError({ name, failure }: UnreadableFile): AppError {
  const error = localizeMessage(failure.error, failure.detail);
  return knowledgeTexts.error("bad_request", "nothing_read", { name, error });
}

/** Returns the path of a file within a folder, so that equal names in several folders are separate documents; undefined for a plain name. */
function toFolderPath(filename: string): string | undefined {
  const steps = cleanTitle(filename)
    .split(/[\\/]/)
    .map((step) => step.trim())
    .filter((step) => step !== "" && step !== "." && step !== "..");
  return steps.length < 2 ? undefined : steps.join("/").slice(-MAX_PATH_CHARS);
}

function parseOptions(fields: Readonly<Record<string, string>>): ImportOptions {
  const { base_id = "default", tags = "", ...others } = fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw knowledgeTexts.error("bad_request", "unknown", {}, { field: unknown });
  const words = splitCommaList(tags);
  const { value, error } = documentDraft.validate(
    { title: "t", content: "c", base_id, tags: words },
    { errors: { label: "path", wrap: { label: false } } },
  );
  if (error) throw toSchemaError(error);
  return { base_id: value.base_id, tags: value.tags };
}

async function fetchPage(egress: Egress, url: string, signal: AbortSignal): Promise<SourceFile> {
  const get = egress.fetch({ reach: "public", maxBytes: MAX_PAGE_BYTES, redirects: MAX_REDIRECTS });
  const response = await get(url, { signal, headers: { accept: "text/html,application/pdf,text/plain,*/*" } });
  if (!response.ok) throw knowledgeTexts.error("upstream_failed", "page_answered", { status: response.status });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const contentType = response.headers.get("content-type") ?? "";
  const [type = ""] = contentType.split(";");
  return {
    name: `${url}${EXTENSION_BY_TYPE[type.trim().toLowerCase()] ?? ""}`,
    bytes,
    charset: charsetOf(contentType),
  };
}

/** Splits a text into as many documents as its length needs; each replaces the earlier one of its source. */
function toDrafts(
  { name, title, text }: { readonly name: string; readonly title: string; readonly text: string },
  { from, url, base_id, tags }: ImportJob,
): readonly DocumentDraft[] {
  const source = (from === "web" ? url : name).slice(0, 480);
  const parts = Math.ceil(text.length / MAX_CONTENT);
  return Array.from({ length: parts }, (_, part) => {
    const suffix = part === 0 ? "" : ` (${part + 1})`;
    return {
      title: `${cleanTitle(title).slice(0, 190).trim() || "untitled"}${suffix}`.toWellFormed(),
      content: removeControlCharacters(text.slice(part * MAX_CONTENT, (part + 1) * MAX_CONTENT)),
      source: `${source}${suffix}`,
      tags,
      base_id,
      metadata: {},
    };
  });
}

const cleanTitle = (title: string): string =>
  title.replaceAll(/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu, " ").normalize("NFC");

/** Replaces control characters, which some formats leave in their texts. */
function removeControlCharacters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, " ");
}
