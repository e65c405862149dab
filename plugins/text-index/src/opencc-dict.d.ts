declare module "opencc-js/dict/TSCharacters" {
  /** Traditional characters with their simplified ones: `萬 万|與 与|…`. */
  const table: string;
  export default table;
}
