import { Badge, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { gateway, type WorkNode } from "../../shared/api/gateway.ts";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { useTexts } from "./texts.ts";

const POLL_MS = 15_000;
const COLORS: Readonly<Record<WorkNode["status"], string>> = {
  online: "parley",
  idle: "parley",
  busy: "yellow",
  draining: "yellow",
  offline: "gray",
};

/** The processes of this service, and externally registered nodes. */
export function Nodes() {
  const { t, language } = useTexts();
  const nodes = useQuery({ queryKey: ["gateway", "nodes"], queryFn: gateway.listNodes, refetchInterval: POLL_MS });
  const time = new Intl.DateTimeFormat(language, { timeStyle: "medium" });
  const percent = new Intl.NumberFormat(language, { style: "percent" });
  return (
    <section aria-labelledby="nodes">
      <Title order={2} size="h4" id="nodes" mt="xl" mb="xs">
        {t("nodes")}
      </Title>
      <RecordList
        query={nodes}
        getId={({ node_id }) => node_id}
        columns={[t("node"), t("nodeState"), t("nodeLoad"), t("nodeVersion"), t("nodeSign")]}
        row={({ node_id, node_type, status, current_load, version, last_heartbeat }) => (
          <RecordRow
            testId={`node-${node_id}`}
            cells={[
              `${node_id === "local" ? t("nodeHere") : node_id} · ${t(`type_${node_type}`)}`,
              <Badge key="state" variant="light" color={COLORS[status]}>
                {t(`node_${status}`)}
              </Badge>,
              percent.format(current_load),
              version,
              time.format(new Date(last_heartbeat)),
            ]}
          />
        )}
      />
    </section>
  );
}
