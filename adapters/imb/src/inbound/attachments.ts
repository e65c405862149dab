import { type Attachment, type ChannelFile, channelFileOf, channelFileUrl, deliveryFailure } from "@parley/core";
import type { BotApi } from "../bot-api.ts";
import type { BotFile, BotMessage } from "./update.ts";

/** Maximum size of a file that the platform offers for download. */
const MAX_BYTES = 20 * 1024 * 1024;

/** Returns the files of a message as references: their URL contains the token, and is built when fetching. */
export function toAttachments(message: Partial<BotMessage>): readonly Attachment[] {
  const { photo = [], document, audio, voice, video, video_note, animation, sticker } = message;
  const isStill = sticker && !sticker.is_animated && !sticker.is_video;
  return [
    photo.length > 0 && toReference("image", pickLargest(photo)),
    // An animation also arrives as a document.
    document && !animation && toReference("file", document),
    audio && toReference("audio", toNamedAudio(audio)),
    voice && toReference("audio", voice),
    video && toReference("video", video),
    video_note && toReference("video", video_note),
    animation && toReference("video", animation),
    isStill && toReference("sticker", sticker),
  ].filter((one) => typeof one === "object");
}

export async function fetchAttachment(api: BotApi, { url }: Attachment, signal: AbortSignal): Promise<ChannelFile> {
  const file_id = channelFileOf(url)?.file;
  if (file_id === undefined) throw deliveryFailure("permanent", "attachment_strange", {});
  const { file_path = "" } = await api.call<{ readonly file_path?: string }>("getFile", { file_id }, signal);
  // A server in local mode returns a path on its own disk.
  if (!/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(file_path)) {
    throw deliveryFailure("permanent", "no_file_path", {});
  }
  return { body: await api.download(file_path, signal) };
}

/** Names a song without a file name by performer and title. */
function toNamedAudio(audio: NonNullable<BotMessage["audio"]>): BotFile {
  const name = audio.file_name ?? [audio.performer, audio.title].filter(Boolean).join(" - ");
  return name === "" ? audio : { ...audio, file_name: name };
}

function pickLargest(sizes: readonly BotFile[]): BotFile | undefined {
  const fitting = sizes.filter(({ file_size = 0 }) => file_size <= MAX_BYTES);
  return fitting.at(-1) ?? sizes[0];
}

function toReference(type: Attachment["type"], file: BotFile | undefined): Attachment | undefined {
  if (typeof file?.file_id !== "string") return undefined;
  const { file_id, file_name, mime_type, file_size } = file;
  return {
    type,
    url: channelFileUrl({ file: file_id }),
    ...(file_name !== undefined && { name: file_name.slice(0, 200) }),
    ...(mime_type !== undefined && { mime_type }),
    ...(file_size !== undefined && { size: file_size }),
  };
}
