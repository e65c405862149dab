import { useNavigate } from "@tanstack/react-router";
import { TraceView } from "../../shared/trace/trace.tsx";
import { toAddress, useSearchText } from "../../shared/ui/page/address.ts";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { DeadLetters } from "./dead-letters.tsx";
import { EventList } from "./event-list.tsx";
import { FindMessages } from "./find-messages.tsx";
import { Nodes } from "./nodes.tsx";
import { QueueStatusPanel } from "./queue-status.tsx";
import { useTexts } from "./texts.ts";
import { Throughput } from "./throughput.tsx";

/** The gateway page; the shown message is in the URL: `/gateway?trace=<id>`. */
export function GatewayPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const traceId = useSearchText("trace");
  const showTrace = (id: string | undefined) => void navigate(toAddress("/gateway", { trace: id }));
  return (
    <Page title={t("gateway")} hint={t("gatewayHint")}>
      <QueueStatusPanel />
      <Throughput />
      <DeadLetters openTrace={showTrace} />
      <FindMessages openTrace={showTrace} />
      <EventList openTrace={showTrace} />
      <Nodes />
      <Dialog opened={traceId !== undefined} onClose={() => showTrace(undefined)} title={t("trace")} size="lg">
        {traceId !== undefined && <TraceView id={traceId} />}
      </Dialog>
    </Page>
  );
}
