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

/** A file that was chosen for the next message. */
export interface PickedFile {
  readonly key: string;
  readonly name: string;
  /** Upload progress, 0 to 1. */
  readonly share: number;
  /** Undefined while it is on its way. */
  readonly attachment: Attachment | undefined;
}

/** A file that does not go with the message, and why. */
export interface RejectedFile {
  readonly name: string;
  readonly reason: string;
}

/** The draft with the attached files, one per line; files chosen before the stored ones are loaded come after them. */
const toDraftName = (sessionId: string) => `files.${sessionId}`;

/** The `sessionStorage` key with the names of running uploads, one per line; a reload aborts those. */
const toUploadsKey = (sessionId: string) => `parley.uploading.${sessionId}`;

export function deleteAttachments(sessionId: string): void {
  deleteDraft(toDraftName(sessionId));
}

export interface Attachments {
  readonly attachedFiles: readonly PickedFile[];
  readonly rejected: readonly RejectedFile[];
  readonly isBusy: boolean;
  /** Maximum file size in MB; undefined until it is known. */
  readonly limitMb: number | undefined;
  /** Resolves when all files are uploaded or rejected; false when one was rejected. */
  add(files: readonly File[], folders?: readonly string[]): Promise<boolean>;
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
  const [leftOut, setLeftOut] = useState<readonly RejectedFile[]>(() =>
    (sessionStorage.getItem(toUploadsKey(sessionId)) ?? "")
      .split("\n")
      .filter(Boolean)
      .map((name) => ({ name, reason: t("uploadBrokenOff") })),
  );
  const uploads = useRef(new Map<string, AbortController>());
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const written = useRef(storedLines);
  // Before it is shown: whoever sees a file as kept may reload at once.
  useLayoutEffect(() => {
    const lines = attachedFiles.flatMap(({ attachment }) => (attachment ? [`${JSON.stringify(attachment)}\n`] : []));
    if (lines.join("") === written.current) return;
    written.current = lines.join("");
    setStoredLines(written.current);
  }, [setStoredLines, attachedFiles]);
  useLayoutEffect(() => {
    const names = attachedFiles.filter(({ attachment }) => attachment === undefined).map(({ name }) => name);
    if (names.length === 0) sessionStorage.removeItem(toUploadsKey(sessionId));
    else tryStore(toUploadsKey(sessionId), names.join("\n"), sessionStorage);
  }, [sessionId, attachedFiles]);
  // Where everything is full, they lie in another place and are found after the page was shown.
  useLayoutEffect(() => {
    if (storedLines === written.current) return;
    written.current = storedLines;
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

  const change = (id: string, fields: Partial<PickedFile>) =>
    setAttachedFiles((now) => now.map((one) => (one.key === id ? { ...one, ...fields } : one)));
  const leaveOut = (name: string, reason: string) => setLeftOut((now) => [...now, { name, reason }]);
  const send = async (id: string, file: File, { signal }: AbortController): Promise<boolean> => {
    if (signal.aborted) return false;
    try {
      const uploaded = await upload(file, { signal, onProgress: (share) => change(id, { share }) });
      change(id, { attachment: toAttachment(uploaded) });
      return true;
    } catch (error) {
      setAttachedFiles((now) => now.filter((one) => one.key !== id));
      if (!signal.aborted) leaveOut(file.name, formatError(error, t));
      return false;
    } finally {
      uploads.current.delete(id);
    }
  };
  return {
    attachedFiles,
    rejected: leftOut,
    limitMb,
    isBusy: attachedFiles.some(({ attachment }) => attachment === undefined),
    async add(files, folders = []) {
      setLeftOut(folders.map((name) => ({ name, reason: t("folderNotAttached") })));
      const fitting = files.filter(({ size }) => limitMb === undefined || size <= limitMb * MEBIBYTE);
      for (const file of files) if (!fitting.includes(file)) leaveOut(file.name, `${t("fileTooLarge")} ${limitMb} MB`);
      const room = MAX_FILES - attachedFiles.length;
      for (const { name } of fitting.slice(room)) leaveOut(name, t("tooManyFiles"));
      const sent: Promise<boolean>[] = [];
      for (const file of fitting.slice(0, room)) {
        const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
        const abort = new AbortController();
        uploads.current.set(id, abort);
        setAttachedFiles((now) => [...now, { key: id, name: file.name, share: 0, attachment: undefined }]);
        // One after another: a browser has few connections, and the page needs some.
        const sending = queue.current.then(() => send(id, file, abort));
        queue.current = sending;
        sent.push(sending);
      }
      return (await Promise.all(sent)).every(Boolean) && sent.length === files.length;
    },
    remove(id) {
      uploads.current.get(id)?.abort();
      setAttachedFiles((now) => now.filter((one) => one.key !== id));
    },
    take() {
      setAttachedFiles([]);
      setLeftOut([]);
      return attachedFiles.flatMap(({ attachment }) => (attachment ? [attachment] : []));
    },
    restore: (attachments) => setAttachedFiles((now) => [...attachments.map(toPickedFile), ...now]),
    dismissRejected: () => setLeftOut([]),
  };
}

function toAttachment({ url, filename, mime_type, size }: Uploaded): Attachment {
  const [kind] = mime_type.split("/", 1);
  const isShown = kind === "image" || kind === "audio" || kind === "video";
  // A drawing may hold scripts: it is never shown inline.
  const type = isShown && mime_type !== "image/svg+xml" ? kind : "file";
  return { type, url, name: filename.slice(0, 200), mime_type, size };
}

function parseStoredFiles(lines: string): readonly PickedFile[] {
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => toPickedFile(JSON.parse(line)));
}

function toPickedFile(attachment: Attachment): PickedFile {
  return { key: attachment.url, name: attachment.name ?? attachment.url, share: 1, attachment };
}
