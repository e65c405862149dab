import { Alert, Button, Group, Text } from "@mantine/core";
import type { PluginStatus } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocal } from "../../shared/i18n/local.ts";
import { readAgain } from "../../shared/live/read-again.ts";
import textCss from "../../shared/styles/text.module.css";
import { CommandLines } from "../../shared/ui/command-lines.tsx";
import { Failure, useTried } from "../../shared/ui/common.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { plugins } from "./api.ts";
import { useTexts } from "./texts.ts";

interface RemovePluginProps {
  readonly plugin: PluginStatus;
  readonly close: () => void;
}

/** Takes away what was added at the command line, once it is said what goes, what stays, and what brings it back. */
export function RemovePlugin({ plugin, close }: RemovePluginProps) {
  const { t } = useTexts();
  const local = useLocal();
  const queries = useQueryClient();
  const { tried, isBusy, error } = useTried([]);
  const [isGone, setGone] = useState(false);
  const { id, title, path, needed_by = [], add_again } = plugin;
  const remove = tried(async () => {
    await plugins.remove(id);
    setGone(true);
    await readAgain(queries);
  });
  return (
    <Dialog opened onClose={close} title={t(isGone ? "removed" : "removeOf", { name: local(title) })}>
      {isGone ? (
        <Text size="sm">{t("stays")}</Text>
      ) : (
        <>
          <Text size="sm" fw={600} mb={4} className={textCss.doomed}>
            {plugin.package} {plugin.version}
          </Text>
          <Text size="sm" mb="xs" style={{ overflowWrap: "anywhere" }}>
            {t("removeHint", { path })}
          </Text>
          <Text size="sm">{t("stays")}</Text>
        </>
      )}
      {needed_by.length > 0 && !isGone && (
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
          {t(isGone ? "close" : "cancel")}
        </Button>
        {!isGone && (
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
