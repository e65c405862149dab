import {
  AppError,
  type ItemFailure,
  toItemFailure,
  type UploadPart,
  type WorkspaceArea,
  type WorkspaceItem,
} from "@parley/core";
import { sanitizeFileName } from "../store/file-names.ts";
import { filesTexts } from "../texts.ts";
import type { ReceivedFile } from "./workspace-state.ts";
import type { WorkspaceStore } from "./workspaces.ts";

const MAX_FILES = 20;

export interface UploadTarget {
  readonly workspaces: Pick<WorkspaceStore, "receive" | "place">;
  readonly area: WorkspaceArea;
  readonly ifMatch: number | undefined;
  readonly signal: AbortSignal;
}

export interface UploadsResult {
  readonly items: readonly WorkspaceItem[];
  readonly failed: readonly ({ readonly filename: string } & ItemFailure)[];
}

type ReceivedPart = { readonly filename: string } & (
  | { readonly received: ReceivedFile }
  | { readonly error: AppError }
);

/** Receives the files of a form and their folder, in any order. If one file fails, the whole request fails. */
export async function receiveUploads(
  parts: AsyncIterable<UploadPart>,
  { workspaces, area, ifMatch, signal }: UploadTarget,
): Promise<UploadsResult> {
  await using uploads = new AsyncDisposableStack();
  const given: ReceivedPart[] = [];
  let folder = "";
  for await (const part of parts) {
    if ("value" in part) {
      if (part.name !== "path") throw filesTexts.error("bad_request", "unknown", {}, { field: part.name });
      folder = part.value;
      continue;
    }
    const { name, filename, body } = part;
    if (name !== "file") throw filesTexts.error("bad_request", "unknown", {}, { field: name });
    if (filename.trim() === "") throw filesTexts.error("bad_request", "no_name", {}, { field: "file" });
    if (given.length === MAX_FILES)
      throw filesTexts.error("bad_request", "many_files", { most: MAX_FILES }, { field: "file" });
    const one = await catchUploadError(readToEnd(body, (content) => workspaces.receive(content, signal)));
    if (!AppError.is(one)) uploads.use(one);
    given.push({ filename, ...(AppError.is(one) ? { error: one } : { received: one }) });
  }
  if (given.length === 0) throw filesTexts.error("bad_request", "missing", {}, { field: "file" });
  if (ifMatch !== undefined && given.length > 1) throw filesTexts.error("bad_request", "if_match");
  const items: WorkspaceItem[] = [];
  const failed: { filename: string; error: AppError }[] = [];
  for (const one of given) {
    const { filename } = one;
    const path = [folder, sanitizeFileName(filename)].filter(Boolean).join("/");
    const done =
      "error" in one ? one.error : await catchUploadError(workspaces.place(area, path, one.received, { ifMatch }));
    if (AppError.is(done)) failed.push({ filename, error: done });
    else items.push(done);
  }
  const [first] = failed;
  if (first && items.length === 0) throw first.error;
  return { items, failed: failed.map(({ filename, error }) => ({ filename, ...toItemFailure(error) })) };
}

/** Reads a rejected part to its end, because the next part follows it. */
async function readToEnd<Result>(
  body: AsyncIterable<Uint8Array>,
  read: (content: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const source = body[Symbol.asyncIterator]();
  const next = () => source.next();
  try {
    return await read({ [Symbol.asyncIterator]: () => ({ next }) });
  } catch (error) {
    if (AppError.is(error) && error.code === "too_large") while (!(await next()).done);
    throw error;
  }
}

/** Returns an error about one file; rethrows internal errors and broken requests, which fail the whole upload. */
async function catchUploadError<Result>(work: Promise<Result>): Promise<Result | AppError> {
  try {
    return await work;
  } catch (error) {
    if (AppError.is(error) && ["too_large", "conflict"].includes(error.code)) return error;
    throw error;
  }
}
