export interface RequestUrlOptions {
  readonly baseUrl: string;
  /** False: `baseUrl` is the whole address. */
  readonly appendPath: boolean;
  /** Inserted between host and path when the base address has no path: `/v1`. */
  readonly version: string;
  /** `/chat/completions`, with a query where the protocol needs one. */
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
