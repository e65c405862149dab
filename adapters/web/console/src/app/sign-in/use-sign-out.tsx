import { Suspense, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { lazy } from "../../shared/load-chunk.ts";
import { hasUnsavedChanges } from "../../shared/ui/form/unsaved-state.ts";

const LeaveQuestion = lazy(async () => ({
  default: (await import("../../shared/ui/form/leave-dialog.tsx")).LeaveDialog,
}));

/** Signs out; where unsaved changes would be lost, only after it was asked. The question is to be drawn. */
export function useSignOut(signedOut: () => void) {
  const [isAsked, setAsked] = useState(false);
  const leave = async () => {
    setAsked(false);
    await parley.post("/api/logout");
    signedOut();
  };
  return {
    signOut: async () => (hasUnsavedChanges() ? setAsked(true) : leave()),
    question: isAsked && (
      <Suspense>
        <LeaveQuestion isOpen leave={() => void leave()} stay={() => setAsked(false)} />
      </Suspense>
    ),
  };
}
