import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type Confirmation, confirmations } from "../../api/confirmations.ts";
import { toVisibleText } from "../../forms/untrusted-schema.ts";
import { useTexts } from "../../i18n/i18n.ts";
import textCss from "../../styles/text.module.css";
import { Failure, useAction } from "../common.tsx";
import { useConfirmations } from "./pending-confirmations.tsx";

const QUERY_KEYS = [["confirmation"]] as const;
const MAX_ARGUMENTS_LENGTH = 500;

/** The tool calls that wait for a person's approval, in one conversation or in all. */
export function ConfirmationRequests({ sessionId }: { readonly sessionId?: string }) {
  const open = useConfirmations().filter((one) => sessionId === undefined || one.session_id === sessionId);
  if (open.length === 0) return null;
  return (
    <Stack gap="xs" mb="md" aria-live="polite">
      {open.map((one) => (
        <ConfirmationRequest key={one.id} confirmation={one} hasConversationLink={sessionId === undefined} />
      ))}
    </Stack>
  );
}

function ConfirmationRequest({
  confirmation,
  hasConversationLink,
}: {
  readonly confirmation: Confirmation;
  readonly hasConversationLink: boolean;
}) {
  const { t, language } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const { id, session_id, tool, summary, expires_at } = confirmation;
  const until = new Intl.DateTimeFormat(language, { timeStyle: "medium" }).format(new Date(expires_at));
  const args = summary.startsWith(`${tool} `) ? summary.slice(tool.length + 1) : summary;
  return (
    <Alert color="yellow" title={t("waitingForYou")} data-testid="question">
      <Text size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
        {tool}
      </Text>
      <Code block mah="10rem" style={{ overflow: "auto", whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
        {toVisibleText(args, MAX_ARGUMENTS_LENGTH)}
      </Code>
      <Text size="xs" c="dimmed" my={6}>
        {t("waitingHint")} {until}
      </Text>
      <Failure error={error} />
      <Group gap="xs">
        <Button
          size="compact-md"
          loading={isBusy}
          onClick={toHandler(() => confirmations.answer(id, true))}
          data-testid="allow-call"
        >
          {t("allow")}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          disabled={isBusy}
          onClick={toHandler(() => confirmations.answer(id, false))}
          data-testid="refuse-call"
        >
          {t("refuse")}
        </Button>
        {hasConversationLink && (
          <Link to="/sessions/$sessionId" params={{ sessionId: session_id }} className={textCss.inlineLink}>
            <Text span size="sm">
              {t("openConversation")}
            </Text>
          </Link>
        )}
      </Group>
    </Alert>
  );
}
