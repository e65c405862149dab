import { Button, Stack, Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../shared/ui/common.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { allModels, chatModels } from "./all-models.ts";
import { useTexts } from "./texts.ts";

interface AgainWithProps {
  /** The answer beside which another one is to stand; undefined: nobody asks. */
  readonly asked: Message | undefined;
  readonly close: () => void;
  readonly answer: (messageId: string, modelId: string) => void;
}

/** Which model answers the same once more; what each has said stays as a variant. */
export function AgainWith({ asked, close, answer }: AgainWithProps) {
  const { t } = useTexts();
  const models = useQuery({ ...allModels, enabled: asked !== undefined });
  return (
    <Dialog opened={asked !== undefined} onClose={close} title={t("againWith")}>
      <Loaded query={models}>
        {({ items }) => (
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              {t("againWithHint")}
            </Text>
            {chatModels(items).map(({ id, name }) => (
              <Button
                key={id}
                variant="default"
                justify="flex-start"
                onClick={() => {
                  close();
                  if (asked) answer(asked.id, id);
                }}
                data-testid="again-with-model"
              >
                {name}
              </Button>
            ))}
          </Stack>
        )}
      </Loaded>
    </Dialog>
  );
}
