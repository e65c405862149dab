const OWN_FILE_PATH = /^\/(static\/files|api\/(sessions\/[^/?#]+\/workspace|workspace\/shared)\/files)\/[^/?#]+$/;
/** SVG is not allowed, because it may contain scripts and links. */
const IMAGE_DATA_URL = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;

/** Returns the path of a file of this service, from a path or a full URL; undefined for any other address. */
export function toOwnFilePath(address: string, origin: string): string | undefined {
  const path = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return OWN_FILE_PATH.test(path) ? path : undefined;
}

/** True for a data URL of a bitmap image. */
export function isImageDataUrl(address: string): boolean {
  return IMAGE_DATA_URL.test(address);
}

/** Returns the host of a URL on another server; undefined for this service and for invalid addresses. */
export function toRemoteHost(address: string, origin: string): string | undefined {
  const url = URL.parse(address, origin);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== origin ? url.host : undefined;
}
