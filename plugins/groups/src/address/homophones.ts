const FIRST_ROW = 0xb0;
const LAST_ROW = 0xd7;
const CELLS = 94;
const FIRST_CELL = 0xa1;
/** Characters that stand this near each other mostly sound alike. */
const NEAR = 6;

/** The 3,755 common characters in the order of GB 2312, which is that of their sound. */
const BY_SOUND = decodeCommonCharacters();

/** Returns the common Chinese characters that sound like one: 艾, 爱, 碍. Input methods confuse them. */
export function listHomophones(character: string): readonly string[] {
  const at = BY_SOUND.indexOf(character);
  return at < 0 ? [character] : BY_SOUND.slice(Math.max(0, at - NEAR), at + NEAR + 1);
}

function decodeCommonCharacters(): readonly string[] {
  const rows = Array.from({ length: LAST_ROW - FIRST_ROW + 1 }, (_, row) => FIRST_ROW + row);
  const bytes = rows.flatMap((row) => Array.from({ length: CELLS }, (_, cell) => [row, FIRST_CELL + cell]).flat());
  return [...new TextDecoder("gb2312").decode(new Uint8Array(bytes))].filter((one) => /\p{Script=Han}/u.test(one));
}
