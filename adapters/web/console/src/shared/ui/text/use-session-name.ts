import { useTexts } from "../../i18n/i18n.ts";

/** The service's name for an unnamed conversation. */
const DEFAULT_NAME = "New session";

/** The name of a conversation, in the reader's language while nobody gave it one. */
export function useSessionName(): (session: { readonly name: string }) => string {
  const { t } = useTexts();
  return ({ name }) => (name === DEFAULT_NAME ? t("newSession") : name);
}
