import { parley, type Shapes } from "./client.ts";

/** A process that works on the database of the installation. */
export type SharedNode = Shapes["SharedNode"];

export const nodes = {
  list: () => parley.get("/api/nodes"),
  drain: (node_id: string) => parley.post("/api/nodes/{node_id}/drain", { path: { node_id } }),
  cancelDrain: (node_id: string) => parley.delete("/api/nodes/{node_id}/drain", { path: { node_id } }),
};

/** Returns the display name of a node: its address, or the start of its id. */
export function formatNode({ address, id }: SharedNode): string {
  return address === "" ? id.slice(0, 8) : address;
}
