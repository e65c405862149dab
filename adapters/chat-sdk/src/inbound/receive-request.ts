import { AppError, type ChannelIo, type WebhookAnswer, type WebhookRequest } from "@parley/core";
import { rejectAfter } from "@parley/core/async";
import { parseJsonObject } from "@parley/core/json";
import type { KnownPackage } from "../packages/known-packages.ts";
import { runWithNetwork } from "../packages/package-network.ts";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";
import { chatSdkTexts } from "../texts.ts";
import { createRequestWork, currentWork, type RequestWork } from "./request-work.ts";

/** Slack repeats a request that is not answered within three seconds. */
const ACKNOWLEDGE_MS = 2_500;

/** Headers of the connection, which do not belong to the request that is made here. */
const CONNECTION_HEADER = /^(content-length|transfer-encoding|connection|keep-alive|expect|upgrade)$/;

export interface ReceiveOptions {
  readonly adapter: SdkAdapter;
  readonly packageName: string;
  readonly path: string;
  readonly io: Pick<ChannelIo, "accept" | "fetch" | "press">;
  readonly answerInteraction?: KnownPackage["answerInteraction"];
  /** Forgets what the adapter has noted about a request that is not acknowledged. */
  readonly forget: (keys: ReadonlySet<string>) => void;
}

/**
 * Gives a request to the adapter, which verifies it, and answers once all its messages are stored. What is not stored in time is rejected,
 * so that the platform sends it again; it is still stored when it is ready, and the repeat is then a duplicate.
 */
export async function receiveRequest(options: ReceiveOptions, request: WebhookRequest): Promise<WebhookAnswer> {
  const { packageName, io, forget } = options;
  const text = Buffer.from(request.body).toString("utf8");
  const raw = parseJsonObject(text);
  // Packages read fields of what they parse.
  if (raw === undefined && /^\s*(null|true|false|\[|"|-?\d+\s*$)/.test(text))
    throw chatSdkTexts.error("bad_request", "platform", { reason: "the body is no JSON object" });
  const work = createRequestWork({ ...io, accept: request.accept ?? io.accept }, { raw });
  const createLate = () => chatSdkTexts.error("unavailable", "late", { name: packageName }, { retryAfterS: 5 });
  try {
    const handled = handle(options, toRequest(request, options.path), work);
    return await rejectAfter(handled, ACKNOWLEDGE_MS, createLate);
  } catch (error) {
    forget(work.keys);
    if (AppError.is(error)) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw chatSdkTexts.error("unavailable", "failed", { name: packageName, words }, { cause: error, retryAfterS: 5 });
  }
}

async function handle(
  { adapter, io, answerInteraction }: ReceiveOptions,
  request: Request,
  work: RequestWork,
): Promise<WebhookAnswer> {
  const options = { waitUntil: (task: Promise<unknown>) => work.add(task), propagateHandlerErrors: true } as const;
  const response = await runWithNetwork(io.fetch, () =>
    currentWork.run(work, () => adapter.handleWebhook(request, options)),
  );
  const body = await response.text();
  if (response.status === 401 || response.status === 403) throw chatSdkTexts.error("unauthorized", "signature");
  if (response.status === 400) throw chatSdkTexts.error("bad_request", "platform", { reason: body || "bad request" });
  await work.settle();
  const type = response.headers.get("content-type") ?? "text/plain; charset=utf-8";
  return { status: response.status, type, body: answerInteraction?.(work.events.raw, body, work.refusal()) ?? body };
}

/** Creates the request as the adapter expects it; only its path, query, headers and body are real. */
function toRequest({ headers, body, method = "POST", query }: WebhookRequest, path: string): Request {
  const url = `https://localhost${path}${query ? `?${query}` : ""}`;
  const sent = new Headers();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !CONNECTION_HEADER.test(name)) sent.set(name, value);
  return new Request(url, { method, headers: sent, ...(method === "POST" && { body: Buffer.from(body) }) });
}
