import { Badge, Group, NativeSelect } from "@mantine/core";
import type { LogThreshold } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { parley } from "../../shared/api/client.ts";
import { getValue, toMergePatch } from "../../shared/forms/merge-patch.ts";
import { toJsonObject } from "../../shared/json-object.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, useAction } from "../../shared/ui/common.tsx";
import { toAddress } from "../../shared/ui/page/address.ts";
import { useTexts } from "./texts.ts";

const LEVELS = ["debug", "info", "warn", "error"] as const satisfies readonly LogThreshold[];
const SETTING_KEY = "log.levels";
const SETTINGS_QUERY = ["settings"] as const;

interface LogLevelProps {
  readonly plugin: string;
}

/** Returns the log level set for this plugin; undefined when the general level applies. */
function useLogLevel(plugin: string): LogThreshold | undefined {
  const settings = useQuery({ queryKey: SETTINGS_QUERY, queryFn: () => parley.get("/api/settings") });
  const levels = settings.data && toJsonObject(getValue(settings.data, SETTING_KEY));
  return LEVELS.find((level) => level === levels?.[plugin]);
}

/** Marks a plugin with its own log level, so that a verbose one is not forgotten. */
export function LogLevelBadge({ plugin }: LogLevelProps) {
  const { t } = useTexts();
  const level = useLogLevel(plugin);
  if (!level) return null;
  return (
    <Badge color="gray" variant="outline" data-testid="own-level">
      {t("ownLevel", { level: t(`level_${level}`) })}
    </Badge>
  );
}

/** Selects the log level of a plugin and links to its log. */
export function LogLevelSelect({ plugin }: LogLevelProps) {
  const { t } = useTexts();
  const level = useLogLevel(plugin);
  const { toHandler, isBusy, error } = useAction([SETTINGS_QUERY]);
  const setLevel = (selected: string) =>
    toHandler(() =>
      parley.put("/api/settings", { body: toMergePatch({ [SETTING_KEY]: { [plugin]: selected || null } }) }),
    )();
  return (
    <>
      <Group gap="md" align="flex-end">
        <NativeSelect
          label={t("logLevel")}
          size="xs"
          value={level ?? ""}
          disabled={isBusy}
          onChange={({ currentTarget }) => void setLevel(currentTarget.value)}
          data={[
            { value: "", label: t("generalLevel") },
            ...LEVELS.map((one) => ({ value: one, label: t(`level_${one}`) })),
          ]}
          data-testid="log-level"
        />
        <Link {...toAddress("/status", { source: plugin })} className={textCss.inlineLink} data-testid="plugin-log">
          {t("viewLog")}
        </Link>
      </Group>
      <Failure error={error} />
    </>
  );
}
