import { Suspense, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { lazy } from "../../shared/load-chunk.ts";
import { hasUnsavedChanges } from "../../shared/ui/form/unsaved-state.ts";

const LeaveQuestion = lazy(async () => ({
  default: (await import("../../shared/ui/form/leave-dialog.tsx")).LeaveDialog,
}));

/** Returns `signOut`, which asks before unsaved changes are lost, and the question to render. */
export function useSignOut(onSignedOut: () => void) {
  const [isAsking, setAsking] = useState(false);
  const leave = async () => {
    setAsking(false);
    await parley.post("/api/logout");
    onSignedOut();
  };
  return {
    signOut: async () => (hasUnsavedChanges() ? setAsking(true) : leave()),
    question: isAsking && (
      <Suspense>
        <LeaveQuestion isOpen leave={() => void leave()} stay={() => setAsking(false)} />
      </Suspense>
    ),
  };
}
