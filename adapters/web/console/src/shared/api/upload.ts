import { ApiError, readAnswer } from "./client.ts";

const PATH = "/api/upload";

/** A file as the service keeps it. */
export interface Uploaded {
  readonly url: string;
  readonly filename: string;
  /** By its content. */
  readonly mime_type: string;
  readonly size: number;
}

interface UploadOptions {
  readonly signal: AbortSignal;
  /** How much of it is sent, 0 to 1. */
  readonly sent: (share: number) => void;
}

/** Sends a file to be kept. With `fetch` nobody could tell how far it is. */
export function upload(file: File, { signal, sent }: UploadOptions): Promise<Uploaded> {
  const request = new XMLHttpRequest();
  const answer = new Promise<Uploaded>((resolve, reject) => {
    request.onload = () => {
      try {
        resolve(readAnswer<Uploaded>(PATH, answerOf(request)).data);
      } catch (error) {
        reject(error);
      }
    };
    request.onerror = () => reject(new ApiError("network", "the service cannot be reached", 0));
    request.onabort = () => reject(signal.reason);
  });
  request.open("POST", PATH);
  request.upload.onprogress = ({ loaded, total }) => sent(total === 0 ? 0 : loaded / total);
  signal.addEventListener("abort", () => request.abort(), { once: true });
  const form = new FormData();
  form.append("file", file);
  request.send(form);
  return answer;
}

function answerOf(request: XMLHttpRequest): Parameters<typeof readAnswer>[1] {
  const { status, responseText } = request;
  const isJson = request.getResponseHeader("content-type")?.includes("json") ?? false;
  return {
    status,
    answer: isJson ? JSON.parse(responseText) : undefined,
    retryAfter: request.getResponseHeader("retry-after"),
  };
}
