import { type UseNavigateResult, useLocation, useNavigate, useRouter } from "@tanstack/react-router";

/** Leads on after something was stored: who is still where it began. Who has moved on meanwhile stays where they are. */
export function useLeadOn(): UseNavigateResult<string> {
  const router = useRouter();
  const navigate = useNavigate();
  const begun = useLocation({ select: ({ pathname }) => pathname });
  return async (to) => {
    if (router.state.location.pathname === begun) await navigate(to);
  };
}
