import { Badge, Button, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { formatNode, nodes, type SharedNode } from "../../shared/api/nodes.ts";
import { formatDuration } from "../../shared/i18n/format-duration.ts";
import { refetch } from "../../shared/live/refetch.ts";
import { Failure, formatTime } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { RecordList } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { useTexts } from "./texts.ts";

const POLL_MS = 3_000;
const QUERY_KEY = ["nodes"];

/** The nodes of a shared database with their partitions; renders nothing for a single process. */
export function Nodes() {
  const { t } = useTexts();
  const query = useQuery({ queryKey: QUERY_KEY, queryFn: nodes.list, refetchInterval: POLL_MS });
  const { data } = query;
  if (!data?.shared) return null;
  const canDrain = (id: string) => data.items.some((node) => node.id !== id && !node.draining);
  return (
    <section aria-labelledby="nodes" data-testid="nodes">
      <Title order={2} size="h4" mt="xl" id="nodes">
        {t("nodes")}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t("nodesHint")}
      </Text>
      <RecordList
        query={query}
        getId={({ id }) => id}
        columns={[t("node"), t("version"), t("handles"), t("turnsRunning"), t("lag"), t("startedAt")]}
        actions={t("drain")}
        row={(node) => <NodeRow node={node} isSelf={node.id === data.self} canDrain={canDrain(node.id)} />}
      />
    </section>
  );
}

interface NodeRowProps {
  readonly node: SharedNode;
  readonly isSelf: boolean;
  /** True when other nodes could take over its partitions. */
  readonly canDrain: boolean;
}

function NodeRow({ node, isSelf, canDrain }: NodeRowProps) {
  const { language } = useTexts();
  return (
    <RecordRow
      testId="node-row"
      record={node.id}
      cells={[
        <NodeName key="name" node={node} isSelf={isSelf} />,
        node.version,
        <NodePartitions key="handles" node={node} />,
        node.turns_running.toLocaleString(language),
        formatDuration(node.lag_ms, language),
        formatTime(node.started_at, language),
      ]}
      actions={<DrainButton node={node} isPossible={canDrain} />}
    />
  );
}

function NodeName({ node, isSelf }: { readonly node: SharedNode; readonly isSelf: boolean }) {
  const { t } = useTexts();
  return (
    <>
      <Text span fw={600} size="sm">
        {formatNode(node)}
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
  const partitions = [...channels, ...(conversations > 0 ? [t("conversationCount", { count: conversations })] : [])];
  return partitions.length === 0 ? t("handlesNothing") : partitions.join(", ");
}

/** Drains a node, or makes it eligible again. */
function DrainButton({ node, isPossible }: { readonly node: SharedNode; readonly isPossible: boolean }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const refetchNodes = () => refetch(queries, QUERY_KEY);
  const resume = async () => {
    setError(undefined);
    await nodes.cancelDrain(node.id).catch(setError);
    await refetchNodes();
  };
  if (!node.draining && !isPossible) return null;
  return (
    <RequireChangeScope>
      {node.draining ? (
        <>
          <Button size="compact-sm" variant="default" onClick={resume} data-testid="resume-node">
            {t("resumeNode")}
          </Button>
          <Failure error={error} />
        </>
      ) : (
        <ConfirmButton
          label={t("drain")}
          what={formatNode(node)}
          text={t("drainText")}
          testId="drain"
          run={() => nodes.drain(node.id).then(refetchNodes)}
        />
      )}
    </RequireChangeScope>
  );
}
