import { Alert, List, Text } from "@mantine/core";
import type { channels } from "../../../shared/api/channels.ts";
import { useLocalized } from "../../../shared/i18n/use-localized.ts";
import { toSentenceCase } from "../../../shared/ui/text/to-sentence-case.ts";
import { type TextKey, useTexts } from "../texts.ts";

/** One result of checking a channel at its platform. */
export type ChannelCheck = Awaited<ReturnType<typeof channels.checkCredentials>>["checks"][number];

const STATE_MARKS: Readonly<Record<ChannelCheck["state"], readonly [mark: string, name: TextKey]>> = {
  ok: ["✓", "checkOk"],
  failed: ["✗", "checkFailed"],
  unknown: ["?", "checkUnknown"],
};

/** The results of a check: what works, what does not, and what to do about it. */
export function CheckList({ checks }: { readonly checks: readonly ChannelCheck[] }) {
  const { t } = useTexts();
  const localize = useLocalized();
  const hasProblem = checks.some(({ state }) => state === "failed");
  return (
    <Alert color={hasProblem ? "yellow" : "parley"} py="xs" role="status" data-testid="checked-account">
      <List size="sm" listStyleType="none" spacing={4} style={{ overflowWrap: "anywhere" }}>
        {checks.map(({ check, state, message, fix }) => {
          const [mark, name] = STATE_MARKS[state];
          return (
            <List.Item key={`${check} ${message.en}`} data-testid="channel-check" data-state={state}>
              <span role="img" aria-label={t(name)}>
                {mark}
              </span>{" "}
              {toSentenceCase(localize(message))}
              {fix && (
                <Text size="sm" c="dimmed">
                  {localize(fix)}
                </Text>
              )}
            </List.Item>
          );
        })}
      </List>
    </Alert>
  );
}
