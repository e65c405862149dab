import { type UseNavigateResult, useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { resumePendingLeaves } from "../form/unsaved-state.ts";

/**
 * Leads on after something was stored: who is still where it began. Who has moved on meanwhile stays where they are. With
 * `ignoreBlocker` nothing is left that could be lost: who was just asked whether to leave goes there instead.
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
