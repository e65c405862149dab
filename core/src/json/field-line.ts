import { type Node, parseTree } from "jsonc-parser";

/** Returns the line, from 1, of a field such as `channels.1.type` in a JSON text; for a missing field, the line of its nearest existing parent. */
export function findFieldLine(json: string, field: string): number {
  const path = field.split(".");
  const root = parseTree(json);
  // A file may omit its outermost name and consist of a list.
  const isNamed = root !== undefined && findChild(root, path[0] ?? "") !== undefined;
  const found = root && findNearest(root, isNamed ? path : path.slice(1));
  return json.slice(0, found?.offset ?? 0).split("\n").length;
}

function findNearest(node: Node, [name, ...rest]: readonly string[]): Node {
  const child = name === undefined ? undefined : findChild(node, name);
  return child ? findNearest(child, rest) : node;
}

/** Returns the child with a name, or the child at an index; an object keyed by id is indexed too. */
function findChild({ type, children = [] }: Node, name: string): Node | undefined {
  if (type === "array") return children[Number(name)];
  const named = children.find(({ children: [key] = [] }) => key?.value === name) ?? children[Number(name)];
  return named?.children?.[1];
}
