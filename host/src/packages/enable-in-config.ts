/** Names a package under `[plugins]`; every other line, and every comment, stays as it is. */
export function withPlugin(text: string, id: string, name: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
  const line = `${id} = ${name}`;
  const header = lines.findIndex((one) => /^\uFEFF?\[\s*plugins\s*\]\s*$/.test(one));
  if (header < 0) return [...lines, ...(lines.length > 0 ? [""] : []), "[plugins]", line, ""].join(eol);
  const next = lines.findIndex((one, at) => at > header && /^\[/.test(one));
  let end = next < 0 ? lines.length : next;
  while (lines[end - 1]?.trim() === "") end -= 1;
  return [...lines.slice(0, end), line, ...lines.slice(end), ""].join(eol);
}
