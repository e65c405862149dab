import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";
import { AREA_ICONS, relativeParts } from "@parley/core";

const MAX_ICON_BYTES = 64 * 1024;

/** What stands beside a package's name: one of the console's drawings, or a picture of its own. */
export interface PackageIcon {
  readonly name?: string;
  /** An SVG document as its package has it: whoever shows it keeps it from running. */
  readonly svg?: Buffer;
}

/**
 * As its package.json says in `parley.icon`: the name of a drawing, or an SVG file of the package (`./icon.svg`). Anybody may have
 * written it: what is neither, or lies elsewhere, is left out.
 */
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
    // A picture that cannot be read is none: the plugin works without.
    return undefined;
  }
}

/** Undefined where it is long, or no file: what is no file may never end. */
function readSmallFile(path: string): Buffer | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size } = fstatSync(file);
    return fstatSync(file).isFile() && size <= MAX_ICON_BYTES ? readFileSync(file) : undefined;
  } finally {
    closeSync(file);
  }
}
