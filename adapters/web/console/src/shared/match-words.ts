/** Returns a test for texts that contain all the words, in any order and ignoring case. */
export function matchWords(words: string): (text: string) => boolean {
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const searchable = text.toLowerCase();
    return all.every((word) => searchable.includes(word));
  };
}
