const unsavedForms = new Set<object>();

/** Registers unsaved changes; the returned function ends that. */
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

/** Registers an open question whether to leave; the returned function ends that. */
export function registerPendingLeave(resume: () => void): () => void {
  pendingLeaves.add(resume);
  return () => void pendingLeaves.delete(resume);
}

/** Continues the navigations that asked about unsaved changes, once these are saved; false when there are none. */
export function resumePendingLeaves(): boolean {
  const all = [...pendingLeaves];
  for (const resume of all) resume();
  return all.length > 0;
}
