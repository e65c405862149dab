const changed = new Set<object>();

/** Something would be lost now; the release says that it would not be any more. */
export function noteUnsaved(): () => void {
  const one = {};
  changed.add(one);
  return () => void changed.delete(one);
}

/** Whether a form on the page, or in a window over it, has changes that are nowhere else. */
export function isUnsaved(): boolean {
  return changed.size > 0;
}

const asked = new Set<() => void>();

/** Somebody was asked whether to leave; the release says that they have answered. */
export function noteAsked(goOn: () => void): () => void {
  asked.add(goOn);
  return () => void asked.delete(goOn);
}

/** What would have been lost is stored: whoever was asked goes where they were going. False where nobody was. */
export function goOnAsked(): boolean {
  const all = [...asked];
  for (const goOn of all) goOn();
  return all.length > 0;
}
