import { Badge, Button, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { nodeName, nodes, type SharedNode } from "../../shared/api/nodes.ts";
import { formatDuration } from "../../shared/i18n/format-duration.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { Failure, formatTime } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { type Column, DataTable } from "../../shared/ui/table/data-table.tsx";
import { useTexts } from "./texts.ts";

const POLL_MS = 3_000;
const QUERY_KEY = ["nodes"];

/** The nodes of a shared database with their partitions; renders nothing where a single process runs. */
export function Nodes() {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: QUERY_KEY, queryFn: nodes.list, refetchInterval: POLL_MS });
  if (!data?.shared) return null;
  const others = (id: string) => data.items.some((node) => node.id !== id && !node.draining);
  return (
    <section aria-labelledby="nodes" data-testid="nodes">
      <Title order={2} size="h4" mt="xl" id="nodes">
        {t("nodes")}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t("nodesHint")}
      </Text>
      <NodeTable items={data.items} self={data.self} mayDrain={others} />
    </section>
  );
}

interface NodeTableProps {
  readonly items: readonly SharedNode[];
  readonly self: string;
  /** True when other nodes could take over the node's partitions. */
  readonly mayDrain: (id: string) => boolean;
}

function NodeTable({ items, self, mayDrain }: NodeTableProps) {
  const { t, language } = useTexts();
  const cells: readonly (readonly [string, string, (node: SharedNode) => React.ReactNode])[] = [
    ["name", t("node"), (node) => <NodeName node={node} isSelf={node.id === self} />],
    ["version", t("version"), (node) => node.version],
    ["holds", t("holds"), (node) => <NodePartitions node={node} />],
    ["turns", t("turnsRunning"), (node) => node.turns_running.toLocaleString(language)],
    ["lag", t("lag"), (node) => <NoWrap>{formatDuration(node.lag_ms, language)}</NoWrap>],
    ["started", t("startedAt"), (node) => <NoWrap>{formatTime(node.started_at, language)}</NoWrap>],
  ];
  const columns = cells.map(([id, title, cell]): Column<SharedNode> => ({ id, title, cell, isSortable: false }));
  return (
    <DataTable
      columns={columns}
      rows={items}
      getId={({ id }) => id}
      getName={nodeName}
      sort=""
      sortBy={() => {}}
      onSelect={() => {}}
      actions={(node) => <DrainButton node={node} isPossible={mayDrain(node.id)} />}
      texts={{ chooseAll: "", chooseOne: (name) => name, sortBy: (title) => title, actions: t("drain") }}
    />
  );
}

function NoWrap({ children }: { readonly children: string }) {
  return <span style={{ whiteSpace: "nowrap" }}>{children}</span>;
}

function NodeName({ node, isSelf }: { readonly node: SharedNode; readonly isSelf: boolean }) {
  const { t } = useTexts();
  return (
    <>
      <Text span fw={600} size="sm">
        {nodeName(node)}
      </Text>{" "}
      {isSelf && (
        <Badge variant="light" color="gray" size="sm">
          {t("thisNode")}
        </Badge>
      )}{" "}
      {node.draining && (
        <Badge variant="light" color="yellow" size="sm" data-testid="draining">
          {t("draining")}
        </Badge>
      )}
    </>
  );
}

function NodePartitions({ node: { channels, conversations } }: { readonly node: SharedNode }) {
  const { t } = useTexts();
  const partitions = [...channels, ...(conversations > 0 ? [t("conversationsHeld", { count: conversations })] : [])];
  return partitions.length === 0 ? t("holdsNothing") : partitions.join(", ");
}

/** Drains a node, or makes it eligible again. */
function DrainButton({ node, isPossible }: { readonly node: SharedNode; readonly isPossible: boolean }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const refetchNodes = () => refetch(queries, QUERY_KEY);
  const takeAgain = async () => {
    setError(undefined);
    await nodes.takeAgain(node.id).catch(setError);
    await refetchNodes();
  };
  if (!node.draining && !isPossible) return null;
  return (
    <RequireChangeScope>
      {node.draining ? (
        <>
          <Button size="compact-sm" variant="default" onClick={takeAgain} data-testid="take-again">
            {t("takeAgain")}
          </Button>
          <Failure error={error} />
        </>
      ) : (
        <ConfirmButton
          label={t("drain")}
          what={nodeName(node)}
          text={t("drainText")}
          testId="drain"
          run={() => nodes.drain(node.id).then(refetchNodes)}
        />
      )}
    </RequireChangeScope>
  );
}
