import { Stack, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Held } from "../../shared/ui/held.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { useLastKnown } from "../../shared/ui/use-last-known.ts";
import { type McpServer, mcp } from "./api.ts";
import { BrowseServers } from "./browse-servers.tsx";
import type { KnownServer } from "./known-servers.ts";
import { McpOffers } from "./mcp-offers.tsx";
import { McpServerCard } from "./mcp-server-card.tsx";
import { McpServerForm } from "./mcp-server-form.tsx";
import { McpTools } from "./mcp-tools.tsx";
import { PasteServers } from "./paste-servers.tsx";
import { useTexts } from "./texts.ts";

export type OpenedServer =
  | { readonly kind: "paste" | "browse" }
  | { readonly kind: "add"; readonly known?: KnownServer }
  | { readonly kind: "edit" | "tools"; readonly id: string };

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
  const { record: chosen } = useLastKnown(items, opened && "id" in opened ? opened.id : undefined);
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
        opened={opened !== undefined && (!("id" in opened) || chosen !== undefined)}
        onClose={close}
        title={titleOf(opened, chosen, t)}
        size={opened?.kind === "tools" ? "xl" : "lg"}
      >
        <Opened opened={opened} open={open} chosen={chosen} taken={items.map(({ id }) => id)} done={close} />
      </Dialog>
    </>
  );
}

interface OpenedProps {
  readonly opened: OpenedServer | undefined;
  readonly open: McpServersProps["open"];
  readonly chosen: McpServer | undefined;
  readonly taken: readonly string[];
  readonly done: () => void;
}

function Opened({ opened, open, chosen, taken, done }: OpenedProps) {
  if (opened?.kind === "add")
    return <McpServerForm server={undefined} known={opened.known} taken={taken} done={done} />;
  if (opened?.kind === "browse") return <BrowseServers choose={(known) => open({ kind: "add", known })} />;
  if (opened?.kind === "paste") return <PasteServers taken={taken} done={done} />;
  if (!chosen) return null;
  if (opened?.kind === "tools") return chosen.builtin ? <OwnOffers server={chosen} /> : <McpTools server={chosen} />;
  return (
    <Held key={chosen.id} latest={chosen} version={chosen.revision}>
      {(held, release) => <McpServerForm server={held} release={release} taken={taken} done={done} />}
    </Held>
  );
}

/** Of our own server all is known; another one is asked for nothing but its tools. */
function OwnOffers({ server }: { readonly server: McpServer }) {
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
          <McpOffers />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

function titleOf(
  opened: OpenedServer | undefined,
  chosen: McpServer | undefined,
  t: ReturnType<typeof useTexts>["t"],
): string {
  if (opened?.kind === "add") return t("addServer");
  if (opened?.kind === "paste") return t("pasteServers");
  if (opened?.kind === "browse") return t("browseTitle");
  if (chosen?.builtin) return t("builtinName");
  const name = chosen?.name ?? "";
  return opened?.kind === "tools" ? `${name}: ${t("mcpTools")}` : name;
}
