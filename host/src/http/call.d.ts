declare module "@hapi/call" {
  /** Types of hapi's router, which has none. */
  export const Router: new <Found>(options: {
    readonly isCaseSensitive: boolean;
  }) => {
    add(config: { readonly method: string; readonly path: string }, route: Found): unknown;
    /** Returns the matching route, with `HEAD` as `GET`; an error when none matches or the path cannot be decoded. */
    route(
      method: string,
      path: string,
    ): { readonly route: Found; readonly params: Readonly<Record<string, string>> } | Error;
  };
}
