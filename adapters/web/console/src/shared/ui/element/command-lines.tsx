import { Button, Code, Group } from "@mantine/core";
import { useTexts } from "../../i18n/i18n.ts";
import { useCopy } from "../text/use-copy.ts";

interface CommandLinesProps {
  readonly lines: string;
  readonly testId: string;
}

/** Lines for a terminal, which can be copied. */
export function CommandLines({ lines, testId }: CommandLinesProps) {
  const { t } = useTexts();
  const { isCopied, copy } = useCopy(() => lines);
  return (
    <>
      <Code
        block
        my="xs"
        tabIndex={0}
        style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
        data-testid={testId}
      >
        {lines}
      </Code>
      {copy && (
        <Group justify="flex-end">
          <Button size="compact-sm" variant="light" onClick={copy}>
            {t(isCopied ? "copied" : "copy")}
          </Button>
        </Group>
      )}
    </>
  );
}
