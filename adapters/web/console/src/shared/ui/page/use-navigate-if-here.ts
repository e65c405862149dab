import { type UseNavigateResult, useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { resumePendingLeaves } from "../form/unsaved-state.ts";

/**
 * Navigates after a save, if the user is still on the same page. With `ignoreBlocker` nothing unsaved is left, so a
 * pending question about leaving does not apply.
 */
export function useNavigateIfHere(): UseNavigateResult<string> {
  const router = useRouter();
  const navigate = useNavigate();
  const startPath = useLocation({ select: ({ pathname }) => pathname });
  return async (to) => {
    if (to.ignoreBlocker && resumePendingLeaves()) return;
    if (router.state.location.pathname === startPath) await navigate(to);
  };
}
