import { useTexts } from "../../i18n/i18n.ts";

/** The service's name for an unnamed conversation. */
const DEFAULT_NAME = "New session";

/** Returns the name of a conversation; localized while it is unnamed. */
export function useSessionName(): (session: { readonly name: string }) => string {
  const { t } = useTexts();
  return ({ name }) => (name === DEFAULT_NAME ? t("newSession") : name);
}
