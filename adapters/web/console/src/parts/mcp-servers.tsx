import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type McpServer, mcp } from "../api/mcp.ts";
import { useTexts } from "../i18n.ts";
import { Loaded } from "./common.tsx";
import { McpServerCard } from "./mcp-server-card.tsx";
import { McpServerForm } from "./mcp-server-form.tsx";
import { McpTools } from "./mcp-tools.tsx";
import { Dialog } from "./page.tsx";

export type OpenedServer = { readonly kind: "add" } | { readonly kind: "edit" | "tools"; readonly id: string };

interface McpServersProps {
  readonly opened: OpenedServer | undefined;
  readonly open: (next: OpenedServer | undefined) => void;
}

/** Other servers whose tools the AI may use. */
export function McpServers({ opened, open }: McpServersProps) {
  const { t } = useTexts();
  const list = useQuery({ queryKey: ["mcp_server"], queryFn: mcp.list, refetchOnMount: "always" });
  const close = () => open(undefined);
  const items = list.data?.items ?? [];
  const chosen = opened && opened.kind !== "add" ? items.find(({ id }) => id === opened.id) : undefined;
  return (
    <>
      <Loaded query={list}>
        {() => (
          <Stack gap="xs">
            {!items.some(({ builtin }) => !builtin) && <Text c="dimmed">{t("mcpNone")}</Text>}
            {items.map((server) => (
              <McpServerCard
                key={server.id}
                server={server}
                edit={() => open({ kind: "edit", id: server.id })}
                showTools={() => open({ kind: "tools", id: server.id })}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <Dialog
        opened={opened?.kind === "add" || chosen !== undefined}
        onClose={close}
        title={titleOf(opened, chosen, t)}
        size={opened?.kind === "tools" ? "xl" : "lg"}
      >
        <Opened opened={opened} chosen={chosen} taken={items.map(({ id }) => id)} done={close} />
      </Dialog>
    </>
  );
}

interface OpenedProps {
  readonly opened: OpenedServer | undefined;
  readonly chosen: McpServer | undefined;
  readonly taken: readonly string[];
  readonly done: () => void;
}

function Opened({ opened, chosen, taken, done }: OpenedProps) {
  if (opened?.kind === "add") return <McpServerForm server={undefined} taken={taken} done={done} />;
  if (!chosen) return null;
  if (opened?.kind === "tools") return <McpTools server={chosen} />;
  return <McpServerForm key={chosen.id} server={chosen} taken={taken} done={done} />;
}

function titleOf(
  opened: OpenedServer | undefined,
  chosen: McpServer | undefined,
  t: ReturnType<typeof useTexts>["t"],
): string {
  if (opened?.kind === "add") return t("addServer");
  const name = chosen?.builtin ? t("builtinName") : (chosen?.name ?? "");
  return opened?.kind === "tools" ? `${name}: ${t("mcpTools")}` : name;
}
