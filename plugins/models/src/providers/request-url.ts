export interface RequestUrlOptions {
  readonly baseUrl: string;
  /** False when `baseUrl` is the whole address. */
  readonly appendPath: boolean;
  /** Version such as `/v1`, inserted after the host when the base address has no path. */
  readonly version: string;
  /** Path such as `/chat/completions`, with a query if the protocol needs one. */
  readonly path: string;
}

/** Builds the URL of a request. A query of the base address is preserved. */
export function toRequestUrl({ baseUrl, appendPath, version, path }: RequestUrlOptions): string {
  const url = new URL(baseUrl);
  if (!appendPath) return url.href;
  const pathUrl = new URL(path, "http://path");
  const base = url.pathname.replace(/\/+$/, "");
  if (!base.endsWith(pathUrl.pathname)) {
    const prefix = version === "" || base.endsWith(version) ? "" : version;
    url.pathname = `${base}${prefix}${pathUrl.pathname}`;
  }
  for (const [name, value] of pathUrl.searchParams) url.searchParams.set(name, value);
  return url.href;
}
