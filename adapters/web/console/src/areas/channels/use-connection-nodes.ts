import { useQuery } from "@tanstack/react-query";
import type { Channel } from "../../shared/api/channels.ts";
import { formatNode, nodes } from "../../shared/api/nodes.ts";

/** Names of the nodes that have the channels' connections; fetched only where another node has one. */
export function useConnectionNodes(channels: readonly Channel[]): ReadonlyMap<string, string> {
  const isAsked = channels.some(({ status }) => status.held_elsewhere);
  // Anew with the channels: a connection that moves is told of as one of them.
  const { data } = useQuery({ queryKey: ["channel", "holders"], queryFn: nodes.list, enabled: isAsked });
  const nodeByChannel = (data?.items ?? []).flatMap((node) =>
    node.channels.map((id) => [id, formatNode(node)] as const),
  );
  return new Map(nodeByChannel);
}
