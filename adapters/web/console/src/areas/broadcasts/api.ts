import { parley, type Shapes } from "../../shared/api/client.ts";

export type Broadcast = Shapes["Broadcast"];
export type Recipient = Shapes["BroadcastRecipient"];
export type Audience = Shapes["Audience"];
export type Preview = Shapes["BroadcastPreview"];

/** What is sent when one begins. */
export interface BroadcastDraft {
  readonly text: string;
  readonly audience: Audience;
  readonly per_minute: number;
  readonly expected: number;
  readonly temp_id: string;
}

const path = "/api/broadcasts";
const one = `${path}/{broadcast_id}` as const;
const at = (broadcast_id: string) => ({ path: { broadcast_id } });

export const broadcasts = {
  list: (limit: number) => parley.get(path, { query: { limit } }),
  preview: (audience: Audience) => parley.post(`${path}/preview`, { body: { audience } }),
  begin: (body: BroadcastDraft) => parley.post(path, { body }),
  get: (id: string) => parley.get(one, at(id)),
  recipients: (id: string, state: Recipient["state"] | undefined, limit: number) =>
    parley.get(`${one}/recipients`, { ...at(id), query: { limit, ...(state && { state }) } }),
  stop: (id: string) => parley.post(`${one}/stop`, at(id)),
  goOn: (id: string, failed: boolean) => parley.post(`${one}/continue`, { ...at(id), body: { failed } }),
  remove: (id: string) => parley.delete(one, at(id)),
};

export const CHANGED = [["broadcast"]] as const;
