import { useQuery } from "@tanstack/react-query";
import type { Channel } from "../../shared/api/channels.ts";
import { formatNode, nodes } from "../../shared/api/nodes.ts";

/** Returns the name of the node that has the connection, by channel id; fetched only if another node has one. */
export function useConnectionNodes(channels: readonly Channel[]): ReadonlyMap<string, string> {
  const isRemote = channels.some(({ status }) => status.held_elsewhere);
  // The key is one of channels, so that a connection that moves is refetched with them.
  const { data } = useQuery({ queryKey: ["channel", "holders"], queryFn: nodes.list, enabled: isRemote });
  const nodeByChannel = (data?.items ?? []).flatMap((node) =>
    node.channels.map((id) => [id, formatNode(node)] as const),
  );
  return new Map(nodeByChannel);
}
