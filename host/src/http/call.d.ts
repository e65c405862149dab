declare module "@hapi/call" {
  /** What is used of hapi's own router, which comes without types. */
  export const Router: new <Found>(options: {
    readonly isCaseSensitive: boolean;
  }) => {
    add(config: { readonly method: string; readonly path: string }, route: Found): unknown;
    /** What matches, `HEAD` as `GET`; an error where nothing does, or a path cannot be decoded. */
    route(
      method: string,
      path: string,
    ): { readonly route: Found; readonly params: Readonly<Record<string, string>> } | Error;
  };
}
