import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { AREA_ICONS, relativeParts } from "@parley/core";

const MAX_ICON_BYTES = 64 * 1024;

/** Icon of a package: the name of a console icon, or its own picture. */
export interface PackageIcon {
  readonly name?: string;
  /** Untrusted SVG document of the package; displaying code must prevent its scripts from running. */
  readonly svg?: Buffer;
}

/** Reads `parley.icon` of package.json: the name of a console icon or an SVG file of the package. Other values are ignored. */
export function readIcon(manifest: unknown, folder: string): PackageIcon {
  const { parley } = Object(manifest) as { readonly parley?: unknown };
  const { icon } = Object(parley) as { readonly icon?: unknown };
  if (typeof icon !== "string") return {};
  if (AREA_ICONS.some((name) => name === icon)) return { name: icon };
  const svg = icon.endsWith(".svg") ? readSvg(folder, icon.replace(/^\.\//, "")) : undefined;
  return svg ? { svg } : {};
}

function readSvg(folder: string, name: string): Buffer | undefined {
  try {
    const root = realpathSync(folder);
    const path = realpathSync(join(root, ...relativeParts(name)));
    if (!path.startsWith(root + sep)) return undefined;
    const content = readSmallFile(path);
    return content && /^\s*(<\?xml|<!--|<!doctype svg|<svg)/i.test(content.toString("utf8")) ? content : undefined;
  } catch {
    // An unreadable picture is ignored, because the plugin works without it.
    return undefined;
  }
}

/** Reads a file; undefined when it is too large or not a regular file, whose content might never end. */
function readSmallFile(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(file);
    return fstatSync(file).isFile() && size <= MAX_ICON_BYTES ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
