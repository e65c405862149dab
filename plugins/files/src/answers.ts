import { answered, bytes, listData, shape } from "@parley/core";

const { id, text, time, flag, count, word, orNull, anything } = answered;

export const uploaded = shape(
  {
    file_id: id,
    filename: text,
    safe_name: text,
    url: text,
    preview_url: text,
    size: count,
    mime_type: text,
    sha256: text,
    content: orNull(text),
    workspace: anything,
  },
  "UploadedFile",
);

export const fileList = listData(
  shape({ file_id: id, filename: text, url: text, size: count, mime_type: text, created_at: time }, "ListedFile"),
);

/** What else is known depends on the type. */
export const previewShape = shape(
  {
    type: word("text", "image", "pdf", "audio", "video", "unsupported"),
    filename: text,
    mime_type: text,
    size: count,
    url: text,
    download_url: text,
    content: text.optional(),
    extracted_length: count.optional(),
    original_length: count.optional(),
    truncated: flag.optional(),
    width: count.optional(),
    height: count.optional(),
    is_blob: flag.optional(),
  },
  "FilePreview",
);

export const fileContent = { "*/*": bytes };
