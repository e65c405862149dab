declare module "opencc-js/dict/TSCharacters" {
  /** Pairs of a traditional character and its simplified one: `萬 万|與 与|…`. */
  const table: string;
  export default table;
}
