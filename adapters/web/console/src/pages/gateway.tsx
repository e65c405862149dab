import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n.ts";
import { DeadLetters } from "../parts/dead-letters.tsx";
import { GatewayEvents } from "../parts/gateway-events.tsx";
import { Nodes } from "../parts/nodes.tsx";
import { Dialog, Page } from "../parts/page.tsx";
import { Queue } from "../parts/queue.tsx";
import { Throughput } from "../parts/throughput.tsx";
import { TraceView } from "../parts/trace.tsx";

export function GatewayPage() {
  const { t } = useTexts();
  const [trace, setTrace] = useState<string>();
  return (
    <Page title="gateway" hint="gatewayHint">
      <Queue />
      <Throughput />
      <DeadLetters open={setTrace} />
      <Find find={setTrace} />
      <GatewayEvents open={setTrace} />
      <Nodes />
      <Dialog opened={trace !== undefined} onClose={() => setTrace(undefined)} title={t("trace")} size="lg">
        {trace !== undefined && <TraceView id={trace} />}
      </Dialog>
    </Page>
  );
}

function Find({ find }: { readonly find: (id: string) => void }) {
  const { t } = useTexts();
  const [id, setId] = useState("");
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    find(id.trim());
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs" mt="xl">
        <TextInput
          label={t("findTrace")}
          description={t("findTraceHint")}
          value={id}
          onChange={({ currentTarget }) => setId(currentTarget.value)}
          maxLength={128}
          required
          style={{ flex: "1 1 16rem" }}
          data-testid="trace-id"
        />
        <Button type="submit" variant="default" data-testid="find-trace">
          {t("showTrace")}
        </Button>
      </Group>
    </form>
  );
}
