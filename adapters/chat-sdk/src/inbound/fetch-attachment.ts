import { type Attachment, type ChannelFile, channelFileOf, deliveryFailure } from "@parley/core";
import { raceWithSignal } from "@parley/core/async";
import type { SdkAdapter } from "../sdk/sdk-adapter.ts";

/** Fetches a file of a message by the adapter's own means; a file with a public address is left to the service. */
export async function fetchAttachment(
  adapter: SdkAdapter,
  attachment: Attachment,
  signal: AbortSignal,
): Promise<ChannelFile> {
  const reference = channelFileOf(attachment.url);
  if (!reference) throw deliveryFailure("permanent", "attachment_strange", {});
  const { sdk_url: url, sdk_type: mimeType, ...fetchMetadata } = reference;
  const { type, name } = attachment;
  // Slack's package takes the id of a team for an installation, which an app of one workspace has not.
  for (const metadata of [fetchMetadata, { url: fetchMetadata.url ?? url }]) {
    const fetchData = readFetch(adapter.rehydrateAttachment?.({ type, url, name, mimeType, fetchMetadata: metadata }));
    const bytes = await tryToFetch(fetchData, signal);
    if (bytes) return { body: bytes, ...(name !== undefined && { name }) };
  }
  if (url?.startsWith("https://")) return { url, ...(name !== undefined && { name }) };
  throw deliveryFailure("permanent", "attachment_strange", {});
}

/** Returns the bytes, or undefined when there is nothing to call or the package could not fetch them. */
async function tryToFetch(
  fetchData: (() => Promise<unknown>) | undefined,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  try {
    const bytes = fetchData && (await raceWithSignal(fetchData(), signal));
    return bytes instanceof Uint8Array ? bytes : undefined;
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

function readFetch(restored: unknown): (() => Promise<unknown>) | undefined {
  if (typeof restored !== "object" || restored === null || !("fetchData" in restored)) return undefined;
  const { fetchData } = restored;
  return typeof fetchData === "function" ? async () => fetchData.call(restored) : undefined;
}
