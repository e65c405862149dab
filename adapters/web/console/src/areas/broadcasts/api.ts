import { parley, type Shapes } from "../../shared/api/client.ts";
import type { Page } from "../../shared/api/list-pages.ts";

export type Broadcast = Shapes["Broadcast"];
export type Recipient = Shapes["BroadcastRecipient"];
export type Audience = Shapes["Audience"];
export type Preview = Shapes["BroadcastPreview"];

/** The request that starts a broadcast. */
export interface BroadcastDraft {
  readonly text: string;
  readonly audience: Audience;
  readonly per_minute: number;
  readonly expected: number;
  readonly temp_id: string;
}

const BROADCASTS_PATH = "/api/broadcasts";
const BROADCAST_PATH = `${BROADCASTS_PATH}/{broadcast_id}` as const;
const toPathParams = (broadcast_id: string) => ({ path: { broadcast_id } });

export const broadcasts = {
  list: (page: Page) => parley.get(BROADCASTS_PATH, { query: page }),
  preview: (audience: Audience) => parley.post(`${BROADCASTS_PATH}/preview`, { body: { audience } }),
  start: (body: BroadcastDraft) => parley.post(BROADCASTS_PATH, { body }),
  get: (id: string) => parley.get(BROADCAST_PATH, toPathParams(id)),
  listRecipients: (id: string, state: Recipient["state"] | undefined, page: Page) =>
    parley.get(`${BROADCAST_PATH}/recipients`, { ...toPathParams(id), query: { ...page, ...(state && { state }) } }),
  stop: (id: string) => parley.post(`${BROADCAST_PATH}/stop`, toPathParams(id)),
  resume: (id: string, failed: boolean) =>
    parley.post(`${BROADCAST_PATH}/continue`, { ...toPathParams(id), body: { failed } }),
  remove: (id: string) => parley.delete(BROADCAST_PATH, toPathParams(id)),
};

export const QUERY_KEYS = [["broadcast"]] as const;
