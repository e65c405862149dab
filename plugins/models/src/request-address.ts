export interface AddressParts {
  readonly baseUrl: string;
  /** False: `baseUrl` is the whole address. */
  readonly appendPath: boolean;
  /** What the protocol puts between host and path when the base has none: `/v1`. */
  readonly version: string;
  /** `/chat/completions`, with a query where the protocol needs one. */
  readonly path: string;
}

/** The address of one request. A query of the base address is kept. */
export function requestAddress({ baseUrl, appendPath, version, path }: AddressParts): string {
  const url = new URL(baseUrl);
  if (!appendPath) return url.href;
  const wanted = new URL(path, "http://path");
  const base = url.pathname.replace(/\/+$/, "");
  if (!base.endsWith(wanted.pathname)) {
    const prefix = version === "" || base.endsWith(version) ? "" : version;
    url.pathname = `${base}${prefix}${wanted.pathname}`;
  }
  for (const [name, value] of wanted.searchParams) url.searchParams.set(name, value);
  return url.href;
}
