import { Button, Stack, Text } from "@mantine/core";
import type { Message } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../../shared/ui/common.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { allModelsQuery, filterChatModels } from "../models.ts";
import { useTexts } from "../texts.ts";

interface RegenerateWithModelProps {
  /** The reply to add a variant to; undefined while the dialog is closed. */
  readonly request: Message | undefined;
  readonly close: () => void;
  readonly regenerate: (messageId: string, modelId: string) => void;
}

/** Selects the model that answers again; earlier answers stay as variants. */
export function RegenerateWithModel({ request, close, regenerate }: RegenerateWithModelProps) {
  const { t } = useTexts();
  const models = useQuery({ ...allModelsQuery, enabled: request !== undefined });
  return (
    <Dialog opened={request !== undefined} onClose={close} title={t("regenerateWith")}>
      <Loaded query={models}>
        {({ items }) => (
          <Stack gap="xs">
            <Text size="sm" c="dimmed">
              {t("regenerateWithHint")}
            </Text>
            {filterChatModels(items).map(({ id, name }) => (
              <Button
                key={id}
                variant="default"
                justify="flex-start"
                onClick={() => {
                  close();
                  if (request) regenerate(request.id, id);
                }}
                data-testid="regenerate-with-model"
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
