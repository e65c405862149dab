import { Alert, Badge, Button, Group, NativeSelect, Paper, SimpleGrid, Table, Text, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Listed, query } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import { Failure, Loaded, timeOf } from "../parts/common.tsx";
import type { TextKey } from "../texts.ts";

interface Status {
  readonly phase: "starting" | "ready" | "degraded" | "failed";
  readonly error: string | null;
  readonly version: string;
  readonly uptime_s: number;
  readonly components: readonly { readonly name: string; readonly state: string; readonly error: string | null }[];
}
interface Stats {
  readonly today_messages: number;
  readonly total_messages: number;
  readonly active_sessions: number;
}
interface LogRow {
  readonly id: string;
  readonly time: string;
  readonly level: string;
  readonly source: string;
  readonly message: string;
}

const PHASES = {
  starting: "starting",
  ready: "ready",
  degraded: "degraded",
  failed: "failedState",
} as const satisfies Record<string, TextKey>;

export function StatusPage() {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [done, setDone] = useState("");
  const [error, setError] = useState<unknown>();
  const status = useQuery({
    queryKey: ["status"],
    queryFn: () => api.get<Status>("/api/startup-status"),
    refetchInterval: 10_000,
  });
  const stats = useQuery({ queryKey: ["stats"], queryFn: () => api.get<Stats>("/api/stats"), refetchInterval: 10_000 });
  const reload = (what: "reload-config" | "reload-core") => async () => {
    setError(undefined);
    setDone("");
    try {
      const answer = await api.post<{ failed?: readonly { error: string }[] }>(`/api/system/${what}`);
      const [failed] = answer.failed ?? [];
      if (failed) throw new Error(failed.error);
      setDone(t("reloaded"));
    } catch (thrown) {
      setError(thrown);
    }
    await queries.invalidateQueries();
  };
  return (
    <div className="page">
      <Group justify="space-between" mb="md">
        <Title order={1} size="h3">
          {t("status")}
        </Title>
        <Group gap="xs">
          <Button size="compact-md" variant="default" component="a" href="/api/docs" target="_blank">
            {t("api")}
          </Button>
          <Button size="compact-md" variant="default" onClick={reload("reload-config")}>
            {t("reloadConfig")}
          </Button>
          <Button size="compact-md" variant="default" onClick={reload("reload-core")} data-testid="reload-core">
            {t("reloadCore")}
          </Button>
        </Group>
      </Group>
      {done && (
        <Alert color="parley" mb="sm" py="xs" role="status">
          {done}
        </Alert>
      )}
      <Failure error={error} />
      <Loaded query={status}>
        {({ phase, error: problem, version, uptime_s, components }) => (
          <>
            <SimpleGrid cols={{ base: 2, sm: 5 }} mb="md">
              <Fact label={t("status")}>
                <Badge color={phase === "ready" ? "parley" : phase === "degraded" ? "yellow" : "red"}>
                  {t(PHASES[phase])}
                </Badge>
              </Fact>
              <Fact label={t("version")}>{version}</Fact>
              <Fact label={t("uptime")}>{durationOf(uptime_s)}</Fact>
              <Fact label={t("messagesToday")}>{stats.data?.today_messages ?? "…"}</Fact>
              <Fact label={t("sessionsActive")}>{stats.data?.active_sessions ?? "…"}</Fact>
            </SimpleGrid>
            {problem && <Alert color="red">{problem}</Alert>}
            {components
              .filter(({ state }) => state !== "ok")
              .map(({ name, error: why }) => (
                <Alert key={name} color="yellow" mb="xs">{`${name}: ${why}`}</Alert>
              ))}
          </>
        )}
      </Loaded>
      <Logs />
    </div>
  );
}

function Logs() {
  const { t, language } = useTexts();
  const [level, setLevel] = useState("info");
  const asked = query({ min_level: level, limit: 100 });
  const logs = useQuery({
    queryKey: ["logs", asked],
    queryFn: () => api.get<Listed<LogRow>>(`/api/logs?${asked}`),
    refetchInterval: 5_000,
  });
  return (
    <section aria-labelledby="log">
      <Group justify="space-between" mt="lg" mb="xs">
        <Title order={2} size="h4" id="log">
          {t("logs")}
        </Title>
        <NativeSelect
          size="xs"
          aria-label={t("level")}
          value={level}
          onChange={({ currentTarget }) => setLevel(currentTarget.value)}
          data={["debug", "info", "warning", "error"]}
        />
      </Group>
      <Loaded query={logs}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t("noLogs")}
            </Text>
          ) : (
            <Table.ScrollContainer minWidth={480}>
              <Table verticalSpacing={4} fz="sm">
                <Table.Tbody>
                  {items.map((row) => (
                    <Table.Tr key={row.id}>
                      <Table.Td style={{ whiteSpace: "nowrap" }}>{timeOf(row.time, language)}</Table.Td>
                      <Table.Td>{row.level}</Table.Td>
                      <Table.Td>{row.source}</Table.Td>
                      <Table.Td style={{ overflowWrap: "anywhere" }}>{row.message}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </section>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <Paper withBorder p="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={600} component="div">
        {children}
      </Text>
    </Paper>
  );
}

function durationOf(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}
