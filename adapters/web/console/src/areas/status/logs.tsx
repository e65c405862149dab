import { Group, NativeSelect, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Loaded } from "../../shared/ui/common.tsx";
import { ShowMore, useLonger } from "../../shared/ui/show-more.tsx";
import { type LogLine, system } from "./api.ts";
import { useTexts } from "./texts.ts";

const STEP = 100;
const LEVELS = ["debug", "info", "warning", "error"] as const;
const COLORS: Readonly<Record<string, string>> = { error: "red", warning: "yellow.8" };

/** What a line says, what it knows besides, and the message that it is about. */
function Told({ row: { message, context, trace_id } }: { readonly row: LogLine }) {
  const { t } = useTexts();
  const more = Object.entries(context as Readonly<Record<string, unknown>>);
  return (
    <>
      {message}{" "}
      {trace_id !== null && (
        <Link to="/gateway" search={{ trace: trace_id } as never} className="inline-link" data-testid="log-trace">
          {t("itsTrace")}
        </Link>
      )}
      {more.length > 0 && (
        <div className="meta">{more.map(([key, value]) => `${key}: ${shown(value)}`).join(" · ")}</div>
      )}
    </>
  );
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** What the service wrote, newest first; read again every few seconds. */
export function Logs() {
  const { t, language } = useTexts();
  const [level, setLevel] = useState<LogLine["level"]>("info");
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 300);
  const longer = useLonger(STEP);
  const asked = { min_level: level, q, limit: longer.limit };
  const logs = useQuery({
    queryKey: ["logs", asked],
    queryFn: () => system.logs(asked),
    refetchInterval: 5_000,
    placeholderData: (before) => before,
  });
  const time = new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "medium" });
  return (
    <section aria-labelledby="log">
      <Group mb="xs" gap="xs">
        <TextInput
          size="xs"
          style={{ flex: 1 }}
          aria-label={t("searchLogs")}
          placeholder={t("searchLogs")}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <NativeSelect
          size="xs"
          aria-label={t("level")}
          value={level}
          onChange={({ currentTarget }) => setLevel(currentTarget.value as LogLine["level"])}
          data={LEVELS.map((value) => ({ value, label: t(value) }))}
        />
      </Group>
      <Loaded query={logs}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Text c="dimmed" size="sm">
              {t("noLogs")}
            </Text>
          ) : (
            <>
              <Table.ScrollContainer minWidth={520}>
                <Table verticalSpacing={3} fz="xs" withRowBorders={false} striped>
                  <Table.Tbody>
                    {items.map((row) => (
                      <Table.Tr key={row.id} data-testid="log-row">
                        <Table.Td style={{ whiteSpace: "nowrap", verticalAlign: "top" }}>
                          {time.format(new Date(row.time))}
                        </Table.Td>
                        <Table.Td style={{ verticalAlign: "top" }}>
                          <Text span fz="xs" c={COLORS[row.level] ?? "dimmed"}>
                            {t(row.level)}
                          </Text>
                        </Table.Td>
                        <Table.Td style={{ verticalAlign: "top" }}>{row.source}</Table.Td>
                        <Table.Td style={{ overflowWrap: "anywhere" }}>
                          <Told row={row} />
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              <ShowMore {...longer} shown={items.length} total={total} />
            </>
          )
        }
      </Loaded>
    </section>
  );
}
