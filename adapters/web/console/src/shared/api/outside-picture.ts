import { ParleyError, readAnswer } from "@parley/client";
import { noteFailure, query } from "./client.ts";

const PATH = "/api/outside-picture";

/** A picture of another server, which learns nothing of who looks: the service fetches it. */
export async function outsidePicture(url: string, signal: AbortSignal): Promise<Blob> {
  const answer = await fetch(`${PATH}?${query({ url })}`, { signal }).catch((cause) => {
    signal.throwIfAborted();
    throw new ParleyError({ code: "network", message: String(cause), status: 0 });
  });
  if (answer.ok) return answer.blob();
  throw await failureOf(answer);
}

async function failureOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return readAnswer({ status: answer.status, text, header: (name) => answer.headers.get(name) });
  } catch (error) {
    if (error instanceof ParleyError) noteFailure(error, PATH);
    return error;
  }
}
