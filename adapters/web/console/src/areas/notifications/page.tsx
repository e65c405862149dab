import { Alert, Badge, Button, Group, Switch, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getPushState, NotAllowed, renewPush, startPush, stopPush } from "../../shared/push.ts";
import { Failure, formatTime, Loaded, useAction } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Page } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordSection } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import tableCss from "../../shared/ui/table/table.module.css";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { type Device, notifications, toDeviceName } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["push"]] as const;

export function NotificationsPage() {
  const { t } = useTexts();
  const thisDevice = useQuery({
    queryKey: ["push", "isThisDevice"],
    queryFn: async () => ({ state: await getPushState(), id: await renewPush() }),
  });
  const devices = usePagedList({
    queryKey: ["push", "devices"],
    read: (page) => notifications.listDevices(page),
    getId: ({ id }) => id,
  });
  return (
    <Page title={t("notifications")} hint={t("hint")}>
      <Loaded query={thisDevice}>{({ state }) => <ThisDevice state={state} />}</Loaded>
      <RecordSection
        title={t("devices")}
        hint={t("devicesHint")}
        form={<TestAll />}
        query={devices}
        columns={[t("device"), t("covers"), t("lastSent")]}
        actions={t("remove")}
        getId={({ id }) => id}
        row={(device) => <DeviceRow device={device} isHere={device.id === thisDevice.data?.id} />}
      />
      <NotificationContent />
    </Page>
  );
}

function ThisDevice({ state }: { readonly state: Awaited<ReturnType<typeof getPushState>> }) {
  const { t } = useTexts();
  const status = useQuery({ queryKey: ["push", "status"], queryFn: notifications.getStatus });
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const isReady = status.data?.configured !== false;
  return (
    <section aria-labelledby="this-device" className={tableCss.records}>
      <Title order={2} size="h4" id="this-device">
        {t("thisDevice")}
      </Title>
      {!isReady && (
        <Alert color="orange" my="sm">
          {t("notReady")}
        </Alert>
      )}
      <Text size="sm" my="xs" data-testid="push-state" data-state={state}>
        {t(`state_${state}`)}
      </Text>
      {state === "off" && (
        <RequireChangeScope>
          <Button size="sm" onClick={toHandler(startPush)} loading={isBusy} disabled={!isReady}>
            {t("start")}
          </Button>
        </RequireChangeScope>
      )}
      {state === "on" && (
        <RequireChangeScope>
          <Button size="sm" variant="default" onClick={toHandler(stopPush)} loading={isBusy}>
            {t("stop")}
          </Button>
        </RequireChangeScope>
      )}
      <Failure error={error instanceof NotAllowed ? new Error(t("notAllowed")) : error} />
    </section>
  );
}

function TestAll() {
  const { t } = useTexts();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const [resultText, setResultText] = useState<string>();
  const test = toHandler(async () => {
    setResultText(undefined);
    const { sent, failed, removed, skipped } = await notifications.test();
    const isNone = sent + failed + removed + skipped === 0;
    setResultText(isNone ? t("testedNone") : t("tested", { sent, failed, removed, skipped }));
  });
  return (
    <>
      <Group gap="sm">
        <RequireChangeScope>
          <Button size="xs" variant="light" onClick={test} loading={isBusy}>
            {t("test")}
          </Button>
        </RequireChangeScope>
        {resultText !== undefined && (
          <Text size="sm" role="status">
            {resultText}
          </Text>
        )}
      </Group>
      <Failure error={error} />
    </>
  );
}

function DeviceRow({ device, isHere }: { readonly device: Device; readonly isHere: boolean }) {
  const { t, language } = useTexts();
  const { toHandler } = useAction(QUERY_KEYS);
  const { id, user_agent, service, session_id, last_sent_at, failures } = device;
  const remove = () => (isHere ? stopPush() : notifications.remove(id));
  return (
    <RecordRow
      testId="device-row"
      cells={[
        <>
          {toDeviceName(user_agent)} {isHere && <Badge variant="light">{t("isThisDevice")}</Badge>}
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {service}
          </Text>
        </>,
        t(session_id === null ? "allSessions" : "oneSession"),
        <>
          {formatTime(last_sent_at, language) || t("never")}
          {failures > 0 && (
            <Text size="xs" c="red">
              {t("failedTimes", { count: failures })}
            </Text>
          )}
        </>,
      ]}
      actions={
        <ConfirmButton
          label={t("remove")}
          what={`${toDeviceName(user_agent)} · ${service}`}
          text={t("removeHint")}
          run={toHandler(remove, { throws: true })}
        />
      }
    />
  );
}

function NotificationContent() {
  const { t } = useTexts();
  const contentHidden = useQuery({ queryKey: ["push", "hidden"], queryFn: notifications.isContentHidden });
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  return (
    <section aria-labelledby="push-content" className={tableCss.records}>
      <Title order={2} size="h4" id="push-content" mb="xs">
        {t("contentTitle")}
      </Title>
      <Loaded query={contentHidden}>
        {(isHidden) => (
          <RequireChangeScope scope="admin">
            <Switch
              label={t("hideContent")}
              description={t("hideContentHint")}
              checked={isHidden}
              disabled={isBusy}
              onChange={() => void toHandler(() => notifications.setContentHidden(!isHidden))()}
            />
          </RequireChangeScope>
        )}
      </Loaded>
      <Failure error={error} />
    </section>
  );
}
