import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Clock } from "@parley/core";
import { isArchive, openArchive } from "@parley/core/archive";
import { filesTexts } from "../texts.ts";
import { createConcurrencyLimit } from "./concurrency-limit.ts";
import type { RunSoffice } from "./soffice.ts";

const RETENTION_MS = 7 * 86_400_000;
const CONCURRENCY = 2;
const QUEUE_TIMEOUT_MS = 60_000;

export interface Pdf {
  readonly size: number;
  stream(): Readable;
}

export interface ConverterDeps {
  /** Folder in which results are cached, by the digest of their source. */
  readonly folder: string;
  readonly clock: Clock;
  readonly run: RunSoffice;
  readonly waitMs?: number;
}

/** Converts presentations to PDF. */
export interface Converter {
  start(): Promise<void>;
  /** Converts a PPTX. Rejects with `bad_request` for other content, `unavailable` when LibreOffice is missing or busy. */
  pptxToPdf(bytes: Uint8Array, signal: AbortSignal): Promise<Pdf>;
  /** Removes results older than a week and returns their number. */
  removeOld(): Promise<number>;
}

export function createConverter({ folder, clock, run, waitMs = QUEUE_TIMEOUT_MS }: ConverterDeps): Converter {
  const slots = createConcurrencyLimit(CONCURRENCY, waitMs);
  const running = new Map<string, Promise<void>>();
  const convert = async (bytes: Uint8Array, to: string) => {
    await using _slot = await slots.acquire();
    const work = await mkdtemp(join(folder, "work-"));
    try {
      await writeFile(join(work, "in.pptx"), bytes, { mode: 0o600 });
      await run(work, "in.pptx");
      await checkPdf(join(work, "out", "in.pdf"));
      await rename(join(work, "out", "in.pdf"), to);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  };
  return {
    async start() {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const name of await readdir(folder)) {
        if (name.startsWith("work-")) await rm(join(folder, name), { recursive: true, force: true });
      }
    },
    async pptxToPdf(bytes, signal) {
      checkPptx(bytes);
      const digest = hash("sha256", bytes, "hex");
      const path = join(folder, `${digest}.pdf`);
      const known = await openPdf(path);
      if (known) return known;
      let conversion = running.get(digest);
      if (!conversion) {
        // Equal requests share a conversion, which continues even if the first caller leaves.
        conversion = convert(bytes, path).finally(() => running.delete(digest));
        conversion.catch(() => undefined);
        running.set(digest, conversion);
      }
      await conversion;
      signal.throwIfAborted();
      const made = await openPdf(path);
      if (!made) throw filesTexts.error("upstream_failed", "no_pdf");
      return made;
    },
    async removeOld() {
      let removed = 0;
      for (const name of await readdir(folder)) {
        if (!name.endsWith(".pdf")) continue;
        if (clock.now() - (await stat(join(folder, name))).mtimeMs < RETENTION_MS) continue;
        await rm(join(folder, name), { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

function checkPptx(bytes: Uint8Array): void {
  const isPptx = isArchive(bytes) && openArchive(bytes).some(({ name }) => name === "ppt/presentation.xml");
  if (!isPptx) throw filesTexts.error("bad_request", "not_pptx", {}, { field: "file" });
}

async function openPdf(path: string): Promise<Pdf | undefined> {
  try {
    const { size } = await stat(path);
    return { size, stream: () => createReadStream(path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function checkPdf(path: string): Promise<void> {
  const head = Buffer.alloc(5);
  try {
    await using file = await open(path);
    await file.read(head, 0, 5, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  if (head.toString("latin1") !== "%PDF-") throw filesTexts.error("upstream_failed", "no_pdf");
}
