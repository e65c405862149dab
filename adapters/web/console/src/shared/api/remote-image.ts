import { fetchRaw, query } from "./client.ts";

/** A picture of another server, which learns nothing of who looks: the service fetches it. */
export async function fetchRemoteImage(url: string, signal: AbortSignal): Promise<Blob> {
  return (await fetchRaw(`/api/outside-picture?${query({ url })}`, { signal })).blob();
}
