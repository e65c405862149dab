import { useState } from "react";

interface LastKnownRecord<Item> {
  readonly record: Item | undefined;
  readonly isRemoved: boolean;
}

/** Returns the item with this id, or its last version after a deletion, so that a draft of it can continue. */
export function useLastKnown<Item extends { readonly id: string }>(
  items: readonly Item[] | undefined,
  id: string | undefined,
): LastKnownRecord<Item> {
  const found = items?.find((item) => item.id === id);
  const [last, setLast] = useState(found);
  if (found && found !== last) setLast(found);
  const record = found ?? (last?.id === id ? last : undefined);
  return { record, isRemoved: record !== undefined && found === undefined && items !== undefined };
}
