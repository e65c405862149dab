import { Alert, Button } from "@mantine/core";
import type { Localized, ReloadResult } from "@parley/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { parley } from "../../api/client.ts";
import { createTexts } from "../../i18n/i18n.ts";
import { useLocalized } from "../../i18n/use-localized.ts";
import { refetch } from "../../live/refetch.ts";
import { Failure } from "../common.tsx";
import { RequireChangeScope } from "../page/permissions.tsx";

const useTexts = createTexts("reload", {
  "reload-config": ["Reload configuration", "重新加载配置"],
  "reload-core": ["Reload plugins", "重新加载插件"],
  done: ["Done", "完成"],
  later: ["Reloaded. These need a restart", "已重新加载，以下需要重启"],
});

type ReloadKind = "reload-config" | "reload-core";

/** The outcome of a reload: failures, and changes that need a restart. */
interface ReloadResultView {
  readonly failed?: readonly FailedReload[];
  readonly restart_required?: readonly string[];
  /** Warnings of the reload, for example about unknown keys of config.ini. */
  readonly warning_texts?: readonly Localized[];
}

type FailedReload = ReloadResult["failed"][number];

/** Converts a failed plugin restart to an error; its text is English. */
export function toReloadError({ name, error }: FailedReload): Error {
  return new Error(`${name}: ${error}`);
}

/** Returns a function that renders a reload button, for the configuration or the plugins, and the notice with the outcome. */
export function useReload() {
  const { t } = useTexts();
  const localize = useLocalized();
  const queries = useQueryClient();
  const [done, setDone] = useState("");
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState<ReloadKind>();
  const reload = (what: ReloadKind) => async () => {
    setError(undefined);
    setDone("");
    setBusy(what);
    try {
      const {
        failed = [],
        restart_required: later = [],
        warning_texts: warnings = [],
      }: ReloadResultView = await parley.post(`/api/system/${what}`);
      const [first] = failed;
      if (first) throw toReloadError(first);
      setDone(
        [later.length > 0 ? `${t("later")}: ${later.join(", ")}` : t("done"), ...warnings.map(localize)].join("\n"),
      );
    } catch (thrown) {
      setError(thrown);
    }
    setBusy(undefined);
    await refetch(queries);
  };
  const renderButton = (what: ReloadKind) => (
    <RequireChangeScope scope="admin">
      <Button variant="default" loading={busy === what} onClick={reload(what)} data-testid={what}>
        {t(what)}
      </Button>
    </RequireChangeScope>
  );
  const notice = (
    <>
      {done && (
        <Alert color="parley" mb="sm" py="xs" role="status" style={{ whiteSpace: "pre-line" }}>
          {done}
        </Alert>
      )}
      <Failure error={error} />
    </>
  );
  return { renderButton, notice };
}
