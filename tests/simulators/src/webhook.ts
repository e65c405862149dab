import { setTimeout as wait } from "node:timers/promises";
import type { Announcement } from "./platform-server.ts";

export interface WebhookPost {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

const FIRST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 250;
/** Two minutes, so that a restarting service is back by then even on a busy machine. */
const MAX_TRIES = 480;

/** Creates the delivery of an event to a webhook. When half open, the response is lost, so the event is posted again. */
export function createWebhookAnnouncement(createPost: () => WebhookPost, signal: AbortSignal): Announcement {
  const post = () => postUntilAccepted(createPost, signal);
  return { deliver: post, halfOpen: () => post().then(post) };
}

/**
 * Posts until the service accepts, like a platform but faster; `createPost` makes the request of each attempt. Throws when all attempts
 * were rejected.
 */
export async function postUntilAccepted(
  createPost: () => WebhookPost,
  signal: AbortSignal,
  tries = MAX_TRIES,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    const response = await post(createPost(), signal);
    if (response === undefined) return;
    if (tried === tries) throw new Error(`the service does not take the event: ${response}`);
    await wait(Math.min(FIRST_WAIT_MS * 2 ** tried, LONGEST_WAIT_MS), undefined, { signal });
  }
}

/** Posts an event; undefined when it was accepted, else the reason. */
async function post({ url, body, headers }: WebhookPost, signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
      redirect: "manual",
      signal,
    });
    const text = await response.text();
    return response.ok ? undefined : `${response.status} ${text}`;
  } catch (error) {
    signal.throwIfAborted();
    return String((error as Error).cause ?? error);
  }
}
