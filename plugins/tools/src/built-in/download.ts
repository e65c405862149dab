import Joi from "@hapi/joi";
import {
  deadline,
  type Egress,
  type EgressPolicy,
  relativeParts,
  type Tool,
  textOf,
  tool,
  type Workspaces,
  withPattern,
} from "@parley/core";
import { toolsTexts } from "../texts.ts";

const MAX_BYTES = 50 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 60_000;
const MAX_NAME_CHARS = 100;

export interface DownloadDeps {
  readonly egress: () => Egress;
  readonly reach: () => EgressPolicy["reach"];
  readonly workspaces: () => Workspaces | undefined;
}

/** Creates the tool that downloads a file into the workspace of the conversation. */
export function createDownloadTool({ egress, reach, workspaces }: DownloadDeps): Tool {
  return tool<{ readonly url: string; readonly filename?: string }>({
    name: "download_file",
    help: {
      en: "Downloads a file into the conversation's workspace, up to 50 MiB.",
      zh: "将网址的文件下载到本会话的工作区，最大 50 MiB。",
    },
    purpose:
      "Downloads a file of at most 50 MiB from an http or https address into the workspace of this conversation.",
    args: Joi.object({
      url: withPattern(Joi.string().trim(), /^https?:\/\/./i, {
        en: "must be an http or https address",
        zh: "须为 http 或 https 地址",
      })
        .max(2_000)
        .required(),
      filename: textOf(1_000).min(1).disallow("").description("A path in the workspace; absent: as the address ends"),
    }),
    scope: "gateway.read",
    risk: "action",
    audience: ["ai"],
    group: "files",
    isOffered: () => workspaces() !== undefined,
    timeoutMs: FETCH_TIMEOUT_MS + 10_000,
    async run({ url, filename }, { signal, traceId, sessionId }) {
      const target = workspaces();
      if (!target) throw toolsTexts.error("unavailable", "no_workspaces");
      if (sessionId === undefined) throw toolsTexts.error("bad_request", "nowhere_to_download");
      const address = URL.parse(url);
      if (!address) throw toolsTexts.error("bad_request", "no_address", {}, { field: "url" });
      const path = relativeParts(filename ?? toFileName(address)).join("/");
      using limit = deadline(FETCH_TIMEOUT_MS, signal);
      try {
        const send = egress().fetch({ reach: reach(), redirects: 3, timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_BYTES });
        const response = await send(address, { signal: limit.signal });
        if (!response.ok || !response.body) {
          await response.body?.cancel();
          throw toolsTexts.error("upstream_failed", "host_answered", { host: address.host, status: response.status });
        }
        const content = response.body as unknown as AsyncIterable<Uint8Array>;
        const by = { traceId, sessionId };
        const area = { scope: "private", sessionId } as const;
        const item = await target.write(area, path, content, { signal: limit.signal, by });
        return { path: item.path, size: item.size, mime_type: item.mime_type };
      } catch (error) {
        signal.throwIfAborted();
        throw limit.signal.aborted ? toolsTexts.error("timed_out", "host_late", { host: address.host }) : error;
      }
    },
  });
}

/** Returns the last part of the address as a valid file name. */
function toFileName({ pathname }: URL): string {
  const last = pathname.split("/").findLast((part) => part !== "") ?? "";
  const plain = tryDecode(last)
    .replace(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^[._]+|[._]+$/g, "");
  return plain.slice(-MAX_NAME_CHARS).replace(/^[._]+/, "") || "download";
}

function tryDecode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
