import { Stack, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../../shared/ui/common.tsx";
import { useLastKnown } from "../../../shared/ui/form/use-last-known.ts";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { type McpServer, mcp } from "../api.ts";
import { OwnOffers } from "../service/own-offers.tsx";
import { useTexts } from "../texts.ts";
import { BrowseServers } from "./browse-servers.tsx";
import type { KnownServer } from "./known-servers.ts";
import { PasteServers } from "./paste-servers.tsx";
import { McpServerCard } from "./server-card.tsx";
import { McpServerForm } from "./server-form.tsx";
import { McpTools } from "./server-tools.tsx";

export type OpenedServer =
  | { readonly kind: "paste" | "browse" }
  | { readonly kind: "add"; readonly template?: KnownServer }
  | { readonly kind: "edit" | "tools"; readonly id: string };

interface McpServersProps {
  readonly opened: OpenedServer | undefined;
  readonly open: (next: OpenedServer | undefined) => void;
}

/** Other MCP servers whose tools the AI may use. */
export function McpServers({ opened, open }: McpServersProps) {
  const { t } = useTexts();
  const list = useQuery({ queryKey: ["mcp_server"], queryFn: mcp.list, refetchOnMount: "always" });
  const close = () => open(undefined);
  const items = list.data?.items ?? [];
  const { record: server } = useLastKnown(items, opened && "id" in opened ? opened.id : undefined);
  return (
    <>
      <Loaded query={list}>
        {() => (
          <Stack gap="xs">
            {!items.some(({ builtin }) => !builtin) && (
              <Empty
                icon="tool"
                title={t("mcpNone")}
                hint={t("mcpNoneHint")}
                action={{ label: t("addServer"), run: () => open({ kind: "add" }) }}
              />
            )}
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
        opened={opened !== undefined && (!("id" in opened) || server !== undefined)}
        onClose={close}
        title={toDialogTitle(opened, server, t)}
        size={opened?.kind === "tools" ? "xl" : "lg"}
      >
        <ServerDialog opened={opened} open={open} server={server} usedIds={items.map(({ id }) => id)} onDone={close} />
      </Dialog>
    </>
  );
}

interface ServerDialogProps {
  readonly opened: OpenedServer | undefined;
  readonly open: McpServersProps["open"];
  readonly server: McpServer | undefined;
  readonly usedIds: readonly string[];
  readonly onDone: () => void;
}

function ServerDialog({ opened, open, server, usedIds, onDone }: ServerDialogProps) {
  if (opened?.kind === "add")
    return <McpServerForm server={undefined} template={opened.template} usedIds={usedIds} onDone={onDone} />;
  if (opened?.kind === "browse") return <BrowseServers onSelect={(known) => open({ kind: "add", template: known })} />;
  if (opened?.kind === "paste") return <PasteServers usedIds={usedIds} onDone={onDone} />;
  if (!server) return null;
  if (opened?.kind === "tools")
    return server.builtin ? <OwnServerTools server={server} /> : <McpTools server={server} />;
  return <McpServerForm key={server.id} server={server} usedIds={usedIds} onDone={onDone} />;
}

/** Tools, resources and prompts of the server of this service; other servers show only tools. */
function OwnServerTools({ server }: { readonly server: McpServer }) {
  const { t } = useTexts();
  return (
    <Tabs defaultValue="tools" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="tools">
          {t("mcpTools")} ({server.tool_count})
        </Tabs.Tab>
        <Tabs.Tab value="others" data-testid="tab-offers">
          {t("mcpResources")} · {t("mcpPrompts")}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="tools">
        <McpTools server={server} />
      </Tabs.Panel>
      <Tabs.Panel value="others">
        <Stack gap="xl">
          <OwnOffers />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

function toDialogTitle(
  opened: OpenedServer | undefined,
  server: McpServer | undefined,
  t: ReturnType<typeof useTexts>["t"],
): string {
  if (opened?.kind === "add") return t("addServer");
  if (opened?.kind === "paste") return t("pasteServers");
  if (opened?.kind === "browse") return t("browseTitle");
  if (server?.builtin) return t("builtinName");
  const name = server?.name ?? "";
  return opened?.kind === "tools" ? `${name}: ${t("mcpTools")}` : name;
}
