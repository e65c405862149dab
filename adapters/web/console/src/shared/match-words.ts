/** Whether all the words stand in a text, in any order, in capitals or not. */
export function matchWords(words: string): (text: string) => boolean {
  const all = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const searchable = text.toLowerCase();
    return all.every((word) => searchable.includes(word));
  };
}
