import {
  type Attachment,
  type ChannelFile,
  type ChannelIo,
  channelFileOf,
  channelFileUrl,
  deliveryFailure,
  isStoredUrl,
  type OpenFile,
} from "@parley/core";
import { openForSending } from "@parley/core/channels";
import { isObject } from "@parley/core/json";
import type { Bridge } from "../bridge/bridge.ts";
import { toBridgeId, toIdText } from "../bridge/frame.ts";
import type { Segment } from "./segment.ts";
import type { FileSegment } from "./segments.ts";

/** Timeout of calls that transfer a file. */
export const MEDIA_TIMEOUT_MS = 60_000;

const ATTACHMENT_TYPE_BY_SEGMENT: Readonly<Record<FileSegment["type"], Attachment["type"]>> = {
  image: "image",
  record: "audio",
  video: "video",
  file: "file",
};

/** Returns a file of a message with its address, or else with a reference for the bridge. */
export function toAttachment({ type, file, fileId, url, name }: FileSegment, conversation: string): Attachment {
  const reference = channelFileUrl({ type, file, fileId, conversation });
  return {
    type: ATTACHMENT_TYPE_BY_SEGMENT[type],
    url: url === "" ? reference : url,
    ...(name !== "" && { name: name.slice(0, 200) }),
  };
}

/** Fetches a referenced file from the bridge. A path on the bridge's own disk is never opened. */
export async function fetchAttachment(bridge: Bridge, { url }: Attachment): Promise<ChannelFile> {
  const { type = "", file = "", fileId = "", conversation = "" } = channelFileOf(url) ?? {};
  const [action, params] = toFetchCall(type, file, fileId, conversation);
  const answer = await bridge.call(action, params, "unavailable", MEDIA_TIMEOUT_MS);
  const data = isObject(answer) ? answer : {};
  const name = toIdText(data.file_name);
  const named = name === "" ? {} : { name: name.slice(0, 200) };
  if (typeof data.base64 === "string" && data.base64 !== "") {
    return { body: Buffer.from(data.base64.replace(/^base64:\/\//, ""), "base64"), ...named };
  }
  const address = [data.url, data.file].find((one) => typeof one === "string" && /^https?:\/\//.test(one));
  if (address !== undefined) return { url: String(address), ...named };
  throw deliveryFailure("permanent", "bridge_no_media", {});
}

function toFetchCall(
  type: string,
  file: string,
  fileId: string,
  conversation: string,
): [action: string, params: object] {
  const [kind, id = ""] = conversation.split(":");
  if (type === "image") return ["get_image", { file }];
  if (type === "record") return ["get_record", { file, out_format: "mp3" }];
  if (fileId === "") return ["get_file", { file, file_id: file }];
  if (kind === "group") return ["get_group_file_url", { group_id: toBridgeId(id), file_id: fileId }];
  return ["get_private_file_url", { user_id: toBridgeId(id), file_id: fileId }];
}

const MAX_INLINE_BYTES = 5 * 1024 * 1024;
/** Maximum bytes of a file sent as base64 in one frame. */
const MAX_BASE64_BYTES = 11 * 1024 * 1024;
const LINK_TTL_S = 3_600;

/** An outgoing file: a segment of the message, or an upload. */
export type OutgoingFile =
  | { readonly segment: Segment }
  | { readonly upload: readonly [action: string, params: object]; readonly fallback: string };

export async function toOutgoingFile(
  files: ChannelIo["files"],
  { url, name: given }: Attachment,
  conversation: string,
): Promise<OutgoingFile> {
  const file = await openForSending(files, url);
  const type = getSegmentType(file);
  if (type !== undefined) return { segment: { type, data: { file: await toBase64(file) } } };
  const [kind, id = ""] = conversation.split(":");
  const name = given ?? file.name;
  const link = files.link(url, LINK_TTL_S);
  const params = { file: file.size <= MAX_BASE64_BYTES ? await toBase64(file) : link, name };
  const fallback = `${name}: ${link}`;
  if (kind === "group") return { upload: ["upload_group_file", { group_id: toBridgeId(id), ...params }], fallback };
  return { upload: ["upload_private_file", { user_id: toBridgeId(id), ...params }], fallback };
}

function getSegmentType({ mimeType, size }: OpenFile): string | undefined {
  if (size > MAX_INLINE_BYTES) return undefined;
  if (/^image\/(png|jpeg|gif|webp|bmp)$/.test(mimeType)) return "image";
  return /^audio\/(mpeg|ogg|wav|amr|silk)$/.test(mimeType) ? "record" : undefined;
}

async function toBase64(file: OpenFile): Promise<string> {
  return `base64://${Buffer.from(await file.bytes()).toString("base64")}`;
}

/** True when a message has stored files, which its text does not identify. */
export function hasStoredFile(attachments: readonly Attachment[]): boolean {
  return attachments.some(({ url }) => isStoredUrl(url));
}
