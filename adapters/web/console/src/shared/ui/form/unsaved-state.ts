const unsavedForms = new Set<object>();

/** Registers unsaved changes of a form; the returned function unregisters them. */
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

/** Registers a navigation that waits until the user decides about unsaved changes; `resume` continues it. The returned function unregisters it. */
export function registerPendingLeave(resume: () => void): () => void {
  pendingLeaves.add(resume);
  return () => void pendingLeaves.delete(resume);
}

/** Continues the waiting navigations, because all changes are saved now; false when none is waiting. */
export function resumePendingLeaves(): boolean {
  const all = [...pendingLeaves];
  for (const resume of all) resume();
  return all.length > 0;
}
