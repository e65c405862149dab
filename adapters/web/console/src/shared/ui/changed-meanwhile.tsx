import { Button, Group, Text } from "@mantine/core";
import { ApiError } from "../api/client.ts";
import { useTexts } from "../i18n/i18n.ts";

interface ChangedMeanwhileProps {
  readonly error: unknown;
  readonly theirs: () => Promise<void> | void;
  readonly mine: () => Promise<void>;
}

/** What can be done where somebody else was faster. */
export function ChangedMeanwhile({ error, theirs, mine }: ChangedMeanwhileProps) {
  const { t } = useTexts();
  if (!(error instanceof ApiError) || error.key !== "changed_meanwhile") return null;
  return (
    <Group gap="xs" mt="xs">
      <Text size="sm">{t("stillHere")}</Text>
      <Button size="compact-sm" variant="light" onClick={() => void theirs()}>
        {t("loadTheirs")}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => void mine()} data-testid="save-anyway">
        {t("overwriteTheirs")}
      </Button>
    </Group>
  );
}
