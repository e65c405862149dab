import { Alert, Button, Group, Text } from "@mantine/core";
import type { PluginStatus } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { refetch } from "../../shared/live/refetch.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { CommandLines } from "../../shared/ui/element/command-lines.tsx";
import { Dialog } from "../../shared/ui/page/page.tsx";
import { plugins } from "./api.ts";
import { useTexts } from "./texts.ts";

interface RemovePluginProps {
  readonly plugin: PluginStatus;
  readonly close: () => void;
}

/** Removes a plugin that was added at the command line; shows what is deleted, what stays, and how to add it again. */
export function RemovePlugin({ plugin, close }: RemovePluginProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const queries = useQueryClient();
  const { toHandler, isBusy, error } = useAction([]);
  const [isRemoved, setRemoved] = useState(false);
  const { id, title, path, needed_by = [], add_again } = plugin;
  const remove = toHandler(async () => {
    await plugins.remove(id);
    setRemoved(true);
    await refetch(queries);
  });
  return (
    <Dialog opened onClose={close} title={t(isRemoved ? "removed" : "removeOf", { name: localize(title) })}>
      {isRemoved ? (
        <Text size="sm">{t("retainedData")}</Text>
      ) : (
        <>
          <Text size="sm" fw={600} mb={4} className={textCss.wrapped}>
            {plugin.package} {plugin.version}
          </Text>
          <Text size="sm" mb="xs" style={{ overflowWrap: "anywhere" }}>
            {t("removeHint", { path })}
          </Text>
          <Text size="sm">{t("retainedData")}</Text>
        </>
      )}
      {needed_by.length > 0 && !isRemoved && (
        <Alert color="yellow" mt="sm" role="note" data-testid="needed-by">
          {t("neededBy", { names: needed_by.join(", ") })}
        </Alert>
      )}
      {add_again && (
        <>
          <Text size="sm" mt="sm">
            {t("addAgain")}
          </Text>
          <CommandLines lines={add_again} testId="add-again" />
        </>
      )}
      <Failure error={error} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          {t(isRemoved ? "close" : "cancel")}
        </Button>
        {!isRemoved && (
          <Button
            color="red"
            onClick={remove}
            loading={isBusy}
            disabled={needed_by.length > 0}
            data-testid="remove-plugin-now"
          >
            {t("removeIt")}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
