import { Readable } from "node:stream";
import type { ChannelIo } from "@parley/core";
import { connectionFailure } from "@parley/core/channels";
import { joinSignals } from "./package-network.ts";

const REQUEST_MS = 20_000;

/** A request as Slack's client hands it over (axios). */
interface ClientRequest {
  readonly url?: string;
  readonly baseURL?: string;
  readonly method?: string;
  readonly headers?: object;
  readonly data?: unknown;
}

interface ClientResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
  readonly config: ClientRequest;
  /** The client reads the path of the request from here. */
  readonly request: { readonly path: string };
}

type Network = Pick<ChannelIo, "fetch">;

/** Returns options that make Slack's client send by the channel's own `fetch`, so that its rules for addresses apply, once, and within its time. */
export function createSlackTransport(io: Network): Readonly<Record<string, unknown>> {
  return {
    fetch: io.fetch,
    fileTransport: (url: URL, signal: AbortSignal, headers: Record<string, string>) =>
      download(io, url, signal, headers),
    webClientOptions: {
      adapter: (request: ClientRequest) => send(io, request),
      // Waiting and repeating are the outbox's work.
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logger: QUIET_LOGGER,
    },
  };
}

/** A logger that writes nothing: the errors that the client throws say the same. */
const QUIET_LOGGER = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => "error",
  setName() {},
};

async function send(io: Network, request: ClientRequest): Promise<ClientResponse> {
  const { baseURL = "", url = "", method = "post", headers = {}, data } = request;
  try {
    const address = new URL(url, baseURL);
    const response = await io.fetch(address, {
      method: method.toUpperCase(),
      headers: toHeaders(headers),
      body: toBody(data),
      signal: joinSignals(AbortSignal.timeout(REQUEST_MS)),
    });
    const text = await response.text();
    return {
      status: response.status,
      statusText: response.statusText,
      headers: Object.fromEntries(response.headers),
      data: text,
      config: request,
      request: { path: address.pathname },
    };
  } catch (error) {
    throw connectionFailure("Slack", error, "ambiguous");
  }
}

function toHeaders(given: object): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) if (typeof value === "string") headers.set(name, value);
  return headers;
}

/** Returns the bytes of a body: a text, or a form whose files are in memory. */
function toBody(data: unknown): string | Buffer {
  if (typeof data === "string" || Buffer.isBuffer(data)) return data;
  if (typeof data === "object" && data !== null && "getBuffer" in data && typeof data.getBuffer === "function") {
    const bytes: unknown = data.getBuffer();
    if (Buffer.isBuffer(bytes)) return bytes;
  }
  return "";
}

/** Downloads a file in the form that the package reads: a stream with status and headers. */
async function download(io: Network, url: URL, signal: AbortSignal, headers: Record<string, string>): Promise<object> {
  // The service decodes by itself, so the package must not decode again.
  const { "accept-encoding": _, ...sent } = headers;
  const response = await io.fetch(url, { headers: sent, signal, redirect: "manual" });
  const bytes = Buffer.from(await response.arrayBuffer());
  const received = Object.fromEntries(
    [...response.headers].filter(([name]) => !/^content-(encoding|length)$/.test(name)),
  );
  return Object.assign(Readable.from(bytes.length > 0 ? [bytes] : []), {
    statusCode: response.status,
    statusMessage: response.statusText,
    headers: received,
  });
}
