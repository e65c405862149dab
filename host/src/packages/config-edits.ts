/** Adds a package to `[plugins]`; all other lines stay unchanged. */
export function insertPlugin(text: string, id: string, name: string): string {
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

/** Replaces the package in an existing line; all other lines stay. */
export function replacePackage(text: string, id: string, name: string): string {
  const lines = text.split("\n");
  const header = lines.findIndex((one) => /^\uFEFF?\[\s*plugins\s*\]\s*$/.test(one));
  const named = new RegExp(`^\\s*${id}\\s*=`);
  const next = lines.findIndex((one, at) => at > header && /^\[/.test(one));
  const at = lines.findIndex((one, index) => index > header && (next < 0 || index < next) && named.test(one));
  if (header < 0 || at < 0) return insertPlugin(text, id, name);
  const eol = lines[at]?.endsWith("\r") ? "\r" : "";
  return lines.with(at, `${id} = ${name}${eol}`).join("\n");
}

/** Removes the line of a package; its `[plugin.<id>]` settings stay as comments, and all other lines unchanged. */
export function deletePlugin(text: string, id: string): string {
  const named = new RegExp(`^\\s*${escapeRegex(id)}\\s*=`);
  let section = "";
  const lines = text.split("\n").flatMap((line) => {
    const header = /^\uFEFF?\s*\[\s*(.*?)\s*\]\s*$/.exec(line)?.[1];
    if (header !== undefined) section = header;
    if (section === "plugins" && named.test(line)) return [];
    const isOwn = section === `plugin.${id}` && /^\s*[^\s;#]/.test(line);
    return [isOwn ? `; ${line}` : line];
  });
  return lines.join("\n");
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
