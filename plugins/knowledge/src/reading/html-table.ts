/** A table that is being read: its rows of cells, each cell as text. */
export interface OpenTable {
  readonly rows: string[][];
  /** True when a cell holds another table, as in pages that use tables to place things. */
  isLayout: boolean;
}

export const createTable = (): OpenTable => ({ rows: [], isLayout: false });

/** Returns a table as Markdown rows below its head; one that only places things, or has one column or row, as paragraphs. */
export function tableToMarkdown({ rows, isLayout }: OpenTable): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ""));
  const columns = Math.max(0, ...filled.map(({ length }) => length));
  if (isLayout || columns < 2 || filled.length < 2)
    return filled.flatMap((row) => row.map((cell) => cell.trim()).filter(Boolean)).join("\n\n");
  const [head = [], ...others] = filled.map((row) =>
    Array.from({ length: columns }, (_, at) => (row[at] ?? "").replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim()),
  );
  const toLine = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [toLine(head), toLine(head.map(() => "---")), ...others.map(toLine)].join("\n");
}
