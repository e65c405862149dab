import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { Failure, useAction } from "../../../shared/ui/common.tsx";
import { type McpServer, mcp } from "../api.ts";
import { useTexts } from "../texts.ts";

const QUERY_KEYS = [["mcp_server"]] as const;

/** True when an OAuth sign-in may help: the server requests one, or answers HTTP 401 without further instructions. */
export function canSignIn({ sign_in, last_error, connected }: McpServer): boolean {
  if (sign_in === "needed" || sign_in === "again") return true;
  return !connected && sign_in === "none" && /\bHTTP 401\b/.test(last_error ?? "");
}

/** Opens the sign-in page of the server's provider, which redirects to the service; the server's state then updates this page. */
export function SignInNotice({ server }: { readonly server: McpServer }) {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const [page, setPage] = useState<string>();
  if (!server.enabled || !canSignIn(server)) return null;
  const startSignIn = toHandler(async () => {
    // The tab is opened before the request: a browser blocks one opened later as a pop-up.
    const tab = window.open("", "_blank");
    if (tab) tab.opener = null;
    try {
      const { authorization_url } = await mcp.signIn(server.id);
      setPage(authorization_url);
      if (tab) tab.location.href = authorization_url;
    } catch (thrown) {
      tab?.close();
      throw thrown;
    }
  });
  return (
    <Alert color="yellow" mt="xs" py="xs" role="status" data-testid="server-sign-in">
      <Text size="sm">{t(server.sign_in === "again" ? "signInAgainHint" : "signInHint")}</Text>
      <Group gap="sm" mt="xs">
        <Button size="compact-sm" variant="default" loading={isBusy} onClick={startSignIn}>
          {t("signIn")}
        </Button>
        {page !== undefined && (
          <Anchor href={page} target="_blank" rel="noopener noreferrer" size="sm">
            {t("signInPage", { host: new URL(page).host })}
          </Anchor>
        )}
      </Group>
      <Failure error={error} />
    </Alert>
  );
}
