const unsavedForms = new Set<object>();

/** Something would be lost now; the release says that it would not be any more. */
export function registerUnsaved(): () => void {
  const one = {};
  unsavedForms.add(one);
  return () => void unsavedForms.delete(one);
}

/** Whether a form on the page, or in a window over it, has changes that are nowhere else. */
export function hasUnsavedChanges(): boolean {
  return unsavedForms.size > 0;
}

const pendingLeaves = new Set<() => void>();

/** Somebody was asked whether to leave; the release says that they have answered. */
export function registerPendingLeave(resume: () => void): () => void {
  pendingLeaves.add(resume);
  return () => void pendingLeaves.delete(resume);
}

/** What would have been lost is stored: whoever was asked goes where they were going. False where nobody was. */
export function resumePendingLeaves(): boolean {
  const all = [...pendingLeaves];
  for (const resume of all) resume();
  return all.length > 0;
}
