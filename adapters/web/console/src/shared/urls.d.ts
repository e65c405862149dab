declare module "*?url&no-inline" {
  /** URL of the file. */
  const url: string;
  export default url;
}
