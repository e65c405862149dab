import { Badge, Button, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { nodeName, nodes, type SharedNode } from "../../shared/api/nodes.ts";
import { durationOf } from "../../shared/i18n/durations.ts";
import { readAgain } from "../../shared/live/read-again.ts";
import { Failure, timeOf } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { type Column, DataTable } from "../../shared/ui/data-table.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { useTexts } from "./texts.ts";

const OFTEN = 3_000;
const KEY = ["nodes"];

/** Who works on the database of the installation, and who holds what; nothing where one process works alone. */
export function Nodes() {
  const { t } = useTexts();
  const { data } = useQuery({ queryKey: KEY, queryFn: nodes.list, refetchInterval: OFTEN });
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
  /** Others would take what it holds. */
  readonly mayDrain: (id: string) => boolean;
}

function NodeTable({ items, self, mayDrain }: NodeTableProps) {
  const { t, language } = useTexts();
  const cells: readonly (readonly [string, string, (node: SharedNode) => React.ReactNode])[] = [
    ["name", t("node"), (node) => <NodeName node={node} isSelf={node.id === self} />],
    ["version", t("version"), (node) => node.version],
    ["holds", t("holds"), (node) => <Holds node={node} />],
    ["turns", t("turnsRunning"), (node) => node.turns_running.toLocaleString(language)],
    ["lag", t("lag"), (node) => <Unbroken>{durationOf(node.lag_ms, language)}</Unbroken>],
    ["started", t("startedAt"), (node) => <Unbroken>{timeOf(node.started_at, language)}</Unbroken>],
  ];
  const columns = cells.map(([id, title, cell]): Column<SharedNode> => ({ id, title, cell, isSortable: false }));
  return (
    <DataTable
      columns={columns}
      rows={items}
      idOf={({ id }) => id}
      nameOf={nodeName}
      sort=""
      sortBy={() => {}}
      choose={() => {}}
      actions={(node) => <Drain node={node} isPossible={mayDrain(node.id)} />}
      texts={{ chooseAll: "", chooseOne: (name) => name, sortBy: (title) => title, actions: t("drain") }}
    />
  );
}

function Unbroken({ children }: { readonly children: string }) {
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

function Holds({ node: { channels, conversations } }: { readonly node: SharedNode }) {
  const { t } = useTexts();
  const held = [...channels, ...(conversations > 0 ? [t("conversationsHeld", { count: conversations })] : [])];
  return held.length === 0 ? t("holdsNothing") : held.join(", ");
}

/** Has it give away what it holds, or take its share again. */
function Drain({ node, isPossible }: { readonly node: SharedNode; readonly isPossible: boolean }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const seen = () => readAgain(queries, KEY);
  const takeAgain = async () => {
    setError(undefined);
    await nodes.takeAgain(node.id).catch(setError);
    await seen();
  };
  if (!node.draining && !isPossible) return null;
  return (
    <Changes>
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
          run={() => nodes.drain(node.id).then(seen)}
        />
      )}
    </Changes>
  );
}
