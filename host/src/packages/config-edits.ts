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

/** Adds a value to a setting of `[plugin.<id>]` that lists values with commas; a value that is there already changes nothing. */
export function insertListed(text: string, id: string, setting: string, value: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const header = lines.findIndex((one) => one.replace("\uFEFF", "").trim() === `[plugin.${id}]`);
  if (header < 0) {
    const before = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
    return `${before}${before === "" ? "" : eol}[plugin.${id}]${eol}${setting} = ${value}${eol}`;
  }
  const next = lines.findIndex((one, at) => at > header && /^\s*\[/.test(one));
  const at = lines.findIndex(
    (one, index) => index > header && (next < 0 || index < next) && new RegExp(`^\\s*${setting}\\s*=`).test(one),
  );
  if (at < 0) return lines.toSpliced(header + 1, 0, `${setting} = ${value}`).join(eol);
  const [start = "", listed = "", comment = ""] =
    /^([^=]*=\s*)(.*?)(\s+[;#].*)?$/.exec(lines[at] ?? "")?.slice(1) ?? [];
  const values = listed
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  if (values.includes(value)) return text;
  return lines.with(at, `${start}${[...values, value].join(", ")}${comment}`).join(eol);
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
