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
