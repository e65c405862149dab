/** Encodes the sign of each dimension as one bit. Vectors that are close share most of them. */
export function toBinaryCode(vector: Float32Array): Uint8Array {
  const code = new Uint8Array(Math.ceil(vector.length / 32) * 4);
  for (let at = 0; at < vector.length; at += 1) {
    if ((vector[at] as number) > 0) code[at >> 3] = (code[at >> 3] as number) | (1 << (at & 7));
  }
  return code;
}

interface SpaceCodes {
  readonly ids: string[];
  readonly places: Map<string, number>;
  readonly width: number;
  words: Uint32Array;
}

/** Creates the index of the vectors' codes by space, which preselects with a hundredth of the memory and time. */
export function createCodeIndex() {
  const spaces = new Map<string, SpaceCodes>();
  const getOrCreate = (space: string, width: number): SpaceCodes => {
    const known = spaces.get(space);
    if (known?.width === width) return known;
    const fresh: SpaceCodes = { ids: [], places: new Map(), width, words: new Uint32Array(1_024 * width) };
    spaces.set(space, fresh);
    return fresh;
  };
  return {
    /** Adds codes; existing ids are replaced. */
    add(space: string, ids: readonly string[], codes: readonly Uint8Array[]): void {
      for (const [index, id] of ids.entries()) {
        const code = codes[index];
        if (!code) continue;
        const words = toWords(code);
        const spaceCodes = getOrCreate(space, words.length);
        const place = spaceCodes.places.get(id) ?? spaceCodes.ids.push(id) - 1;
        spaceCodes.places.set(id, place);
        const needed = (place + 1) * spaceCodes.width;
        if (needed > spaceCodes.words.length) {
          const larger = new Uint32Array(Math.max(needed, spaceCodes.words.length * 2));
          larger.set(spaceCodes.words);
          spaceCodes.words = larger;
        }
        spaceCodes.words.set(words, place * spaceCodes.width);
      }
    },
    /** Returns the ids whose codes differ least, nearest first; `among` limits the search to these ids. */
    findNearest(space: string, code: Uint8Array, limit: number, among?: readonly string[]): readonly string[] {
      const spaceCodes = spaces.get(space);
      const wanted = toWords(code);
      if (!spaceCodes || spaceCodes.width !== wanted.length) return [];
      const bits = spaceCodes.width * 32;
      const places = among?.flatMap((id) => spaceCodes.places.get(id) ?? []);
      const getPlace = (index: number) => (places ? (places[index] as number) : index);
      const distances = new Uint16Array(places ? places.length : spaceCodes.ids.length);
      const counts = new Uint32Array(bits + 1);
      for (let index = 0; index < distances.length; index += 1) {
        const distance = countDifferingBits(spaceCodes.words, getPlace(index) * spaceCodes.width, wanted);
        distances[index] = distance;
        counts[distance] = (counts[distance] as number) + 1;
      }
      let most = 0;
      for (let sum = 0; most < bits; most += 1) {
        sum += counts[most] as number;
        if (sum >= limit) break;
      }
      return [...distances.keys()]
        .filter((index) => (distances[index] as number) <= most)
        .sort((a, b) => (distances[a] as number) - (distances[b] as number))
        .slice(0, limit)
        .map((index) => spaceCodes.ids[getPlace(index)] as string);
    },
  };
}

function countDifferingBits(words: Uint32Array, from: number, wanted: Uint32Array): number {
  let sum = 0;
  for (let at = 0; at < wanted.length; at += 1) {
    let bits = (words[from + at] as number) ^ (wanted[at] as number);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    sum += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return sum;
}

function toWords(code: Uint8Array): Uint32Array {
  // A view must begin at a word boundary.
  const copy = code.slice();
  return new Uint32Array(copy.buffer, 0, copy.length >> 2);
}
