const unsavedForms = new Set<object>();

/** Something would be lost now; the release says that it would not be any more. */
export function registerUnsaved(): () => void {
  const one = {};
  unsavedForms.add(one);
  return () => void unsavedForms.delete(one);
}

/** True when a form on the page or in a dialog has unsaved changes. */
export function hasUnsavedChanges(): boolean {
  return unsavedForms.size > 0;
}

const pendingLeaves = new Set<() => void>();

/** Somebody was asked whether to leave; the release says that they have answered. */
export function registerPendingLeave(resume: () => void): () => void {
  pendingLeaves.add(resume);
  return () => void pendingLeaves.delete(resume);
}

/** Continues the navigations that asked about unsaved changes, once these are saved. False where none did. */
export function resumePendingLeaves(): boolean {
  const all = [...pendingLeaves];
  for (const resume of all) resume();
  return all.length > 0;
}
