import type { Attachment } from "@parley/core";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { tryStore } from "../../../shared/account-storage.ts";
import { type Uploaded, upload } from "../../../shared/api/upload.ts";
import { formatError } from "../../../shared/ui/common.tsx";
import { useTexts } from "../texts.ts";
import { deleteDraft, useDraft } from "./use-draft.ts";
import { useUploadLimit } from "./use-upload-limit.ts";

/** Maximum files of one message, as in the service. */
const MAX_FILES = 10;
const MEBIBYTE = 1024 * 1024;

/** A file picked for the next message. */
export interface PickedFile {
  readonly key: string;
  readonly name: string;
  /** Upload progress, 0 to 1. */
  readonly progress: number;
  /** Undefined until the upload is complete. */
  readonly attachment: Attachment | undefined;
}

/** A file that could not be attached, with the reason. */
export interface RejectedFile {
  readonly name: string;
  readonly reason: string;
}

/** The draft that holds the attached files, one JSON line each. */
const toDraftName = (sessionId: string) => `files.${sessionId}`;

/** The `sessionStorage` key of the names of running uploads, one per line; a reload aborts those uploads. */
const toUploadsKey = (sessionId: string) => `parley.uploading.${sessionId}`;

export function deleteAttachments(sessionId: string): void {
  deleteDraft(toDraftName(sessionId));
}

export interface Attachments {
  readonly attachedFiles: readonly PickedFile[];
  readonly rejected: readonly RejectedFile[];
  readonly isBusy: boolean;
  /** Maximum file size in MB; undefined until the settings are loaded. */
  readonly limitMb: number | undefined;
  /** Uploads files; folders are rejected by name. Resolves to true if all files are attached, once the last upload has ended. */
  add(files: readonly File[], folderNames?: readonly string[]): Promise<boolean>;
  /** Attaches files again that `take` returned. */
  restore(attachments: readonly Attachment[]): void;
  remove(key: string): void;
  /** Returns the uploaded attachments and clears the list. */
  take(): readonly Attachment[];
  dismissRejected(): void;
}

/** The files of the current draft. Uploaded ones survive a reload. */
export function useAttachments(sessionId: string): Attachments {
  const { t } = useTexts();
  const [storedLines, setStoredLines] = useDraft(toDraftName(sessionId));
  const limitMb = useUploadLimit();
  const [attachedFiles, setAttachedFiles] = useState(() => parseStoredFiles(storedLines));
  const [rejected, setRejected] = useState<readonly RejectedFile[]>(() =>
    (sessionStorage.getItem(toUploadsKey(sessionId)) ?? "")
      .split("\n")
      .filter(Boolean)
      .map((name) => ({ name, reason: t("uploadAborted") })),
  );
  const uploads = useRef(new Map<string, AbortController>());
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const lastStoredLines = useRef(storedLines);
  // A layout effect stores the files before they are painted: a user who sees a file may reload at once.
  useLayoutEffect(() => {
    const lines = attachedFiles.flatMap(({ attachment }) => (attachment ? [`${JSON.stringify(attachment)}\n`] : []));
    if (lines.join("") === lastStoredLines.current) return;
    lastStoredLines.current = lines.join("");
    setStoredLines(lastStoredLines.current);
  }, [setStoredLines, attachedFiles]);
  useLayoutEffect(() => {
    const names = attachedFiles.filter(({ attachment }) => attachment === undefined).map(({ name }) => name);
    if (names.length === 0) sessionStorage.removeItem(toUploadsKey(sessionId));
    else tryStore(toUploadsKey(sessionId), names.join("\n"), sessionStorage);
  }, [sessionId, attachedFiles]);
  // A draft that is too large for localStorage is loaded after the first render; files picked meanwhile follow it.
  useLayoutEffect(() => {
    if (storedLines === lastStoredLines.current) return;
    lastStoredLines.current = storedLines;
    setAttachedFiles((now) => [
      ...parseStoredFiles(storedLines),
      ...now.filter(({ attachment }) => attachment === undefined),
    ]);
  }, [storedLines]);
  useEffect(() => {
    const running = uploads.current;
    return () => {
      for (const one of running.values()) one.abort();
    };
  }, []);

  const update = (id: string, fields: Partial<PickedFile>) =>
    setAttachedFiles((now) => now.map((one) => (one.key === id ? { ...one, ...fields } : one)));
  const reject = (name: string, reason: string) => setRejected((now) => [...now, { name, reason }]);
  const uploadFile = async (id: string, file: File, { signal }: AbortController): Promise<boolean> => {
    if (signal.aborted) return false;
    try {
      const uploaded = await upload(file, { signal, onProgress: (progress) => update(id, { progress }) });
      update(id, { attachment: toAttachment(uploaded) });
      return true;
    } catch (error) {
      setAttachedFiles((now) => now.filter((one) => one.key !== id));
      if (!signal.aborted) reject(file.name, formatError(error, t));
      return false;
    } finally {
      uploads.current.delete(id);
    }
  };
  return {
    attachedFiles,
    rejected,
    limitMb,
    isBusy: attachedFiles.some(({ attachment }) => attachment === undefined),
    async add(files, folderNames = []) {
      setRejected(folderNames.map((name) => ({ name, reason: t("folderNotAttached") })));
      const fitting = files.filter(({ size }) => limitMb === undefined || size <= limitMb * MEBIBYTE);
      for (const file of files) if (!fitting.includes(file)) reject(file.name, `${t("fileTooLarge")} ${limitMb} MB`);
      const freeSlots = MAX_FILES - attachedFiles.length;
      for (const { name } of fitting.slice(freeSlots)) reject(name, t("tooManyFiles"));
      const results: Promise<boolean>[] = [];
      for (const file of fitting.slice(0, freeSlots)) {
        const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
        const controller = new AbortController();
        uploads.current.set(id, controller);
        setAttachedFiles((now) => [...now, { key: id, name: file.name, progress: 0, attachment: undefined }]);
        // Uploads run one after another, because a browser has few connections and the page needs some.
        const result = queue.current.then(() => uploadFile(id, file, controller));
        queue.current = result;
        results.push(result);
      }
      return (await Promise.all(results)).every(Boolean) && results.length === files.length;
    },
    remove(id) {
      uploads.current.get(id)?.abort();
      setAttachedFiles((now) => now.filter((one) => one.key !== id));
    },
    take() {
      setAttachedFiles([]);
      setRejected([]);
      return attachedFiles.flatMap(({ attachment }) => (attachment ? [attachment] : []));
    },
    restore: (attachments) => setAttachedFiles((now) => [...attachments.map(toPickedFile), ...now]),
    dismissRejected: () => setRejected([]),
  };
}

function toAttachment({ url, filename, mime_type, size }: Uploaded): Attachment {
  const [kind] = mime_type.split("/", 1);
  const isMedia = kind === "image" || kind === "audio" || kind === "video";
  // An SVG may contain scripts, so it is never shown inline.
  const type = isMedia && mime_type !== "image/svg+xml" ? kind : "file";
  return { type, url, name: filename.slice(0, 200), mime_type, size };
}

function parseStoredFiles(lines: string): readonly PickedFile[] {
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => toPickedFile(JSON.parse(line)));
}

function toPickedFile(attachment: Attachment): PickedFile {
  return { key: attachment.url, name: attachment.name ?? attachment.url, progress: 1, attachment };
}
