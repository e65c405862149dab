declare module "*?url&no-inline" {
  /** Where the file is served. */
  const url: string;
  export default url;
}
