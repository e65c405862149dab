import { type UseNavigateResult, useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { resumePendingLeaves } from "../form/unsaved-state.ts";

/**
 * Returns a `navigate` for after a save, which does nothing if the user has left the page meanwhile. With `ignoreBlocker`
 * (all changes are saved) it continues navigations that wait because of unsaved changes instead, if there are any.
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
