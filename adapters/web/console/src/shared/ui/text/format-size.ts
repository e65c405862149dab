/** Formats a file size: `512 B`, `1.4 KB`, `27 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1024 * 1024 ? [bytes / 1024, "KB"] : [bytes / 1024 / 1024, "MB"];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
