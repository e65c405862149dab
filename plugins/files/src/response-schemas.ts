import { answerFields, bytes, itemFailureFields, listData, shape } from "@parley/core/http";

const { id, text, time, flag, count, word, orNull, listOf } = answerFields;

export const fileItem = shape(
  {
    name: text,
    path: text,
    type: word("file", "directory"),
    size: count,
    mime_type: text,
    modified_at: time,
    scope: word("private", "shared"),
    session_id: orNull(id),
    etag: text,
  },
  "WorkspaceItem",
);

export const itemList = listData(fileItem, { path: text });

export const itemsUploadResult = shape(
  { items: listOf(fileItem), failed: listOf(shape({ filename: text, ...itemFailureFields })) },
  "WorkspaceUpload",
);

export const itemDeletion = shape({ path: text, deleted: flag, removed: count }, "WorkspaceDeletion");

export const trashItem = shape(
  {
    id,
    name: text,
    path: text,
    type: word("file", "directory"),
    size: count,
    scope: word("private", "shared"),
    session_id: orNull(id),
    deleted_at: time,
    expires_at: time,
  },
  "DeletedFile",
);

export const uploadResult = shape(
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
    workspace: orNull(fileItem),
  },
  "UploadedFile",
);

export const fileList = listData(
  shape({ file_id: id, filename: text, url: text, size: count, mime_type: text, created_at: time }, "ListedFile"),
);

/** A preview; its further fields depend on the type of the file. */
export const previewData = shape(
  {
    type: word("text", "image", "pdf", "audio", "video", "document", "unsupported"),
    filename: text,
    mime_type: text,
    size: count,
    url: text,
    download_url: text,
    content: text.optional(),
    extracted_length: count.optional(),
    original_length: count.optional(),
    truncated: flag.optional(),
    width: orNull(count).optional(),
    height: orNull(count).optional(),
    is_blob: flag.optional(),
  },
  "FilePreview",
);

export const fileContent = { "*/*": bytes };
