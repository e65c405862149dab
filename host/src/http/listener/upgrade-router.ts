import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger, SocketEndpoint } from "@parley/core";
import { rejectUpgrade } from "@parley/core/http";

const ANSWER_TIMEOUT_MS = 10_000;

type Upgrade = (request: IncomingMessage, stream: Duplex & { readonly bytesWritten?: number }, head: Buffer) => void;

/** Routes upgrades to the socket endpoints of a generation; rejects other paths at once. */
export function createUpgradeRouter(endpoints: readonly SocketEndpoint[], log: Logger): Upgrade {
  return (request, stream, head) => {
    const path = URL.parse(request.url ?? "", "http://x")?.pathname ?? "";
    const endpoint = endpoints.find((one) => matchesPath(one, path));
    if (!endpoint) return rejectUpgrade(stream, "404 Not Found");
    // The connection may have carried earlier responses, so only later bytes count.
    const before = stream.bytesWritten;
    const timer = setTimeout(() => {
      if (stream.bytesWritten === before) rejectUpgrade(stream, "503 Service Unavailable");
    }, ANSWER_TIMEOUT_MS);
    stream.once("close", () => clearTimeout(timer));
    const onError = (error: unknown) => {
      log.error("a socket could not be opened", { path, error });
      // No error can be sent once the endpoint has written a response.
      if (stream.bytesWritten === before) rejectUpgrade(stream, "500 Internal Server Error");
      else stream.destroy();
    };
    // An endpoint may be async although its type is not.
    new Promise((resolve) => resolve(endpoint.take(request, stream, head))).catch(onError);
  };
}

function matchesPath({ path, includesBelow = false }: SocketEndpoint, asked: string): boolean {
  return asked === path || (includesBelow && asked.startsWith(`${path}/`));
}
