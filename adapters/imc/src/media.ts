import {
  type Attachment,
  type ChannelFile,
  type ChannelIo,
  channelFileOf,
  deliveryFailure,
  type OpenFile,
} from "@parley/core";
import { openForSending } from "@parley/core/channels";
import type { OpenApi } from "./open-api.ts";

const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const MAX_FILE_BYTES = 30 * 1024 * 1024;

/** File types of the platform by media type; all others are `stream`. */
const FILE_TYPES: readonly (readonly [type: RegExp, name: string])[] = [
  [/^audio\/ogg$/, "opus"],
  [/^video\/mp4$/, "mp4"],
  [/pdf$/, "pdf"],
  [/wordprocessingml/, "doc"],
  [/spreadsheetml/, "xls"],
  [/presentationml/, "ppt"],
];

/** Fetches a referenced file of a message. */
export async function fetchAttachment(api: OpenApi, { url }: Attachment, signal: AbortSignal): Promise<ChannelFile> {
  const { message, key, type } = channelFileOf(url) ?? {};
  if (!message || !key || !type) throw deliveryFailure("permanent", "attachment_strange", {});
  const [id, name] = [encodeURIComponent(message), encodeURIComponent(key)];
  return {
    body: await api.download(`/im/v1/messages/${id}/resources/${name}?type=${encodeURIComponent(type)}`, signal),
  };
}

/** Uploads a stored file; returns the content of its message. */
export async function uploadFile(
  api: OpenApi,
  files: ChannelIo["files"],
  { url, name }: Attachment,
  signal: AbortSignal,
): Promise<{ readonly msg_type: string; readonly content: string }> {
  const file = await openForSending(files, url);
  const isPicture = /^image\/(png|jpeg|webp|gif|bmp)$/.test(file.mimeType) && file.size <= MAX_IMAGE_BYTES;
  if (file.size > MAX_FILE_BYTES) throw deliveryFailure("payload", "file_large", { most: 30 });
  return isPicture ? uploadImage(api, file, signal) : uploadOther(api, file, name ?? file.name, signal);
}

async function uploadImage(api: OpenApi, file: OpenFile, signal: AbortSignal) {
  const part = { field: "image", name: file.name, type: file.mimeType, bytes: await file.bytes() };
  const { data } = await api.upload("/im/v1/images", { image_type: "message" }, part, signal);
  return { msg_type: "image", content: JSON.stringify({ image_key: getKey(data?.image_key) }) };
}

async function uploadOther(api: OpenApi, file: OpenFile, name: string, signal: AbortSignal) {
  const file_type = FILE_TYPES.find(([type]) => type.test(file.mimeType))?.[1] ?? "stream";
  const part = { field: "file", name, type: file.mimeType, bytes: await file.bytes() };
  const { data } = await api.upload("/im/v1/files", { file_type, file_name: name }, part, signal);
  const content = JSON.stringify({ file_key: getKey(data?.file_key) });
  return { msg_type: file_type === "opus" ? "audio" : "file", content };
}

function getKey(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw deliveryFailure("unavailable", "no_file_key", {});
}
