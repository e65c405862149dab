import { ParleyError, readAnswer } from "@parley/client";
import { readLanguage, reportFailure, type Shapes } from "./client.ts";

const UPLOAD_PATH = "/api/upload";

/** A stored file; its type is detected by content. */
export type Uploaded = Shapes["UploadedFile"];

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Called with the upload progress, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

/** Uploads a file. Uses `XMLHttpRequest`, since `fetch` reports no upload progress. */
export function upload(file: File, { signal, onProgress }: UploadOptions): Promise<Uploaded> {
  const request = new XMLHttpRequest();
  const answer = new Promise<Uploaded>((resolve, reject) => {
    request.onload = () => {
      try {
        const { status, responseText } = request;
        resolve(
          readAnswer<Uploaded>({ status, text: responseText, header: (name) => request.getResponseHeader(name) }).data,
        );
      } catch (error) {
        if (error instanceof ParleyError) reportFailure(error, UPLOAD_PATH);
        reject(error);
      }
    };
    request.onerror = () =>
      reject(new ParleyError({ code: "network", message: "the service cannot be reached", status: 0 }));
    request.onabort = () => reject(signal.reason);
  });
  request.open("POST", UPLOAD_PATH);
  request.setRequestHeader("accept-language", readLanguage());
  request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
  signal.addEventListener("abort", () => request.abort(), { once: true });
  const form = new FormData();
  form.append("file", file);
  request.send(form);
  return answer;
}
