const HAN_CHARACTER = /\p{Script=Han}/u;
const MAX_VARIANTS = 6;

/** Returns a term in the other script of its characters: simplified and traditional. */
export type ExpandVariants = (term: string) => readonly string[];

let loading: Promise<ExpandVariants> | undefined;

/** Returns the variants for a question; the table of characters is loaded with the first Chinese question. */
export async function loadVariants(question: string): Promise<ExpandVariants> {
  if (!HAN_CHARACTER.test(question)) return () => [];
  loading ??= import("opencc-js/dict/TSCharacters").then(({ default: table }) => createVariants(table));
  return loading;
}

function createVariants(table: string): ExpandVariants {
  const others = new Map<string, Set<string>>();
  const add = (one: string, other: string) => others.set(one, (others.get(one) ?? new Set()).add(other));
  for (const row of table.split("|")) {
    const [traditional = "", simplified = ""] = row.split(" ");
    if (traditional === simplified) continue;
    add(traditional, simplified);
    add(simplified, traditional);
  }
  return (term) => {
    let made = [""];
    for (const character of term) {
      const forms = [character, ...(others.get(character) ?? [])];
      made = made.flatMap((start) => forms.map((form) => start + form)).slice(0, MAX_VARIANTS + 1);
    }
    return made.filter((one) => one !== term).slice(0, MAX_VARIANTS);
  };
}
