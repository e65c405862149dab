const OWN_FILE_PATH = /^\/(static\/files|api\/(sessions\/[^/?#]+\/workspace|workspace\/shared)\/files)\/[^/?#]+$/;
/** A drawing can hold scripts and links: it is not among them. */
const IMAGE_DATA_URL = /^data:image\/(png|jpeg|gif|webp);base64,[a-z0-9+/=\s]+$/i;

/** The path of a file of this service, which models also name with its whole address; undefined: of no such file. */
export function toOwnFilePath(address: string, origin: string): string | undefined {
  const path = address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  return OWN_FILE_PATH.test(path) ? path : undefined;
}

/** True when the image is a data URL. */
export function isImageDataUrl(address: string): boolean {
  return IMAGE_DATA_URL.test(address);
}

/** The server that has it; undefined where it is this service, or none. */
export function toRemoteHost(address: string, origin: string): string | undefined {
  const url = URL.parse(address, origin);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin !== origin ? url.host : undefined;
}
