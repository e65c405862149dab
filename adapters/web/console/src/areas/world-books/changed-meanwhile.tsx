import { Button, Group, Text } from "@mantine/core";
import { ApiError } from "../../shared/api/client.ts";
import { useTexts } from "./texts.ts";

interface ChangedMeanwhileProps {
  readonly error: unknown;
  readonly theirs: () => Promise<void>;
  readonly mine: () => Promise<void>;
}

/** What can be done where somebody else was faster. */
export function ChangedMeanwhile({ error, theirs, mine }: ChangedMeanwhileProps) {
  const { t } = useTexts();
  if (!(error instanceof ApiError) || error.key !== "changed_meanwhile") return null;
  return (
    <Group gap="xs" mt="xs">
      <Text size="sm">{t("changedMeanwhile")}</Text>
      <Button size="compact-sm" variant="light" onClick={() => void theirs()}>
        {t("theirs")}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => void mine()} data-testid="save-anyway">
        {t("saveAnyway")}
      </Button>
    </Group>
  );
}
