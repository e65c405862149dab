import { Button, Group, Loader, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { parley } from "../../api/client.ts";
import { createTexts } from "../../i18n/i18n.ts";
import { refetch } from "../../live/refetch.ts";
import { Failure, useAction } from "../common.tsx";
import { Dialog } from "../page/page.tsx";
import { RequireChangeScope } from "../page/permissions.tsx";
import { showToast } from "./toasts.tsx";

const useTexts = createTexts("restart", {
  restart: ["Restart", "重启"],
  restartNow: ["Restart now", "立即重启"],
  restartService: ["Restart the service", "重启服务"],
  restartHint: [
    "Replies in progress are finished first. The service is then unreachable for a few seconds; messages received meanwhile are answered afterwards. Your unsent text is kept.",
    "正在生成的回答会先完成，随后服务中断数秒；这期间收到的消息会在重启后处理。已输入的内容不会丢失。",
  ],
  restarting: ["Restarting…", "正在重启…"],
  restartLate: [
    "The service is not back yet. Check its log where it was started.",
    "服务尚未恢复，请到启动它的地方查看日志。",
  ],
  back: ["The service is running again.", "服务已重新运行。"],
});

const POLL_MS = 700;
const SLOW_AFTER_MS = 60_000;
const NO_KEYS: readonly (readonly string[])[] = [];

/** Returns the start time of the running service; null until it accepts requests. */
async function fetchStartTime(): Promise<string | null> {
  const { ready, started_at } = await parley.get("/api/startup-status");
  return ready ? (started_at ?? null) : null;
}

interface RestartButtonProps {
  /** True beside the finding that needs the restart. */
  readonly isSmall?: boolean;
}

/** Restarts the service after a confirmation, and reports when it is back. */
export function RestartButton({ isSmall = false }: RestartButtonProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <RequireChangeScope scope="admin">
      <Button
        variant="default"
        {...(isSmall && { size: "compact-sm" })}
        onClick={() => setOpen(true)}
        data-testid="restart"
      >
        {t(isSmall ? "restartNow" : "restart")}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t("restartService")}>
        <RestartDialog close={() => setOpen(false)} />
      </Dialog>
    </RequireChangeScope>
  );
}

function RestartDialog({ close }: { readonly close: () => void }) {
  const { t } = useTexts();
  const [requestedAt, setRequestedAt] = useState<string>();
  const { toHandler, isBusy, error } = useAction(NO_KEYS);
  const restart = toHandler(async () => {
    const { asked_at } = await parley.post("/api/system/restart", { body: { confirm: true } });
    setRequestedAt(asked_at);
  });
  if (requestedAt !== undefined) return <WaitForRestart requestedAt={requestedAt} close={close} />;
  return (
    <>
      <Text size="sm">{t("restartHint")}</Text>
      <Failure error={error} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          {t("cancel")}
        </Button>
        <Button onClick={restart} loading={isBusy} data-testid="restart-now">
          {t("restartNow")}
        </Button>
      </Group>
    </>
  );
}

interface WaitForRestartProps {
  readonly requestedAt: string;
  readonly close: () => void;
}

/** Waits until a service answers that was started after the request. */
function WaitForRestart({ requestedAt, close }: WaitForRestartProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [isLate, setLate] = useState(false);
  const { data: startTime } = useQuery({
    queryKey: ["restart", requestedAt],
    queryFn: fetchStartTime,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
    networkMode: "always",
    retry: false,
  });
  const isBack = typeof startTime === "string" && Date.parse(startTime) > Date.parse(requestedAt);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isBack) return;
    showToast({ text: t("back") });
    close();
    void refetch(queries);
  }, [isBack, close, queries, t]);
  return (
    <Group role="status" gap="sm" wrap="nowrap" data-testid="restarting">
      <Loader size="sm" />
      <Text size="sm">{t(isLate ? "restartLate" : "restarting")}</Text>
    </Group>
  );
}
