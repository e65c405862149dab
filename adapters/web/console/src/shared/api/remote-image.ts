import { fetchRaw, toQueryString } from "./client.ts";

/** Fetches an image of another server through the service, so that the server learns nothing of the reader. */
export async function fetchRemoteImage(url: string, signal: AbortSignal): Promise<Blob> {
  return (await fetchRaw(`/api/outside-picture?${toQueryString({ url })}`, { signal })).blob();
}
