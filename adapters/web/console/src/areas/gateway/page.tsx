import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { TraceView } from "../../shared/trace/trace.tsx";
import { Dialog, Page } from "../../shared/ui/page.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { GatewayEvents } from "./gateway-events.tsx";
import { Nodes } from "./nodes.tsx";
import { Queue } from "./queue.tsx";
import { useTexts } from "./texts.ts";
import { Throughput } from "./throughput.tsx";

export function GatewayPage() {
  const { t } = useTexts();
  const [trace, setTrace] = useState<string>();
  return (
    <Page title={t("gateway")} hint={t("gatewayHint")}>
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
          withAsterisk={false}
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
