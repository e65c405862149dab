import { Alert, Button, Code, CopyButton, Group, Text } from "@mantine/core";
import { useTexts } from "../i18n.ts";

/** A secret that is shown this once. */
export function SecretOnce({ secret }: { readonly secret: string }) {
  const { t } = useTexts();
  return (
    <Alert color="parley" my="sm" role="status" data-testid="secret">
      <Text size="sm" mb={4}>
        {t("secretOnce")}
      </Text>
      <Group gap="xs">
        <Code fz="sm" style={{ overflowWrap: "anywhere" }}>
          {secret}
        </Code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="light" onClick={copy}>
              {t(copied ? "copied" : "copy")}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Alert>
  );
}
