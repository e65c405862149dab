import { Suspense, useState } from "react";
import { parley } from "../shared/api/client.ts";
import { lazy } from "../shared/fetched.ts";
import { isUnsaved } from "../shared/ui/unsaved-now.ts";

const LeaveQuestion = lazy(async () => ({
  default: (await import("../shared/ui/leave-question.tsx")).LeaveQuestion,
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
    signOut: async () => (isUnsaved() ? setAsked(true) : leave()),
    question: isAsked && (
      <Suspense>
        <LeaveQuestion isOpen leave={() => void leave()} stay={() => setAsked(false)} />
      </Suspense>
    ),
  };
}
