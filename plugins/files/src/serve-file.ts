import type { OpenFile, OpenWorkspaceFile, RawReply } from "@parley/core";
import { type FileQuery, serveFile } from "@parley/core/http";
import { filesTexts } from "./texts.ts";

/** Serves a file of a workspace, and closes it if no content is sent. */
export async function serveWorkspaceFile(file: OpenWorkspaceFile, request: FileQuery): Promise<RawReply> {
  const { name, mime_type: mimeType, size, etag } = file.item;
  const reply = serveFile({ name, mimeType, size, etag, stream: file.stream }, request, "private, no-cache");
  if (typeof reply.body === "string") await file[Symbol.asyncDispose]();
  return reply;
}

export function serveStoredFile(file: OpenFile, asked: FileQuery): RawReply {
  return serveFile({ ...file, etag: `"${file.sha256.slice(0, 32)}"` }, asked, "private, max-age=3600");
}

/** Returns the name of a stored file; throws `bad_request` when its form is invalid. */
export function validateFileName(name: string): string {
  if (name === "" || name.length > 200 || /[/\\]|^\.|\p{Cc}/u.test(name)) {
    throw filesTexts.error("bad_request", "not_a_name", {}, { field: "filename" });
  }
  return name;
}
