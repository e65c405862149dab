import { Badge, Button, Card, Group, Stack, Switch, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { describe } from "../../shared/tools/describe.ts";
import { RejectedTool } from "../../shared/tools/rejected-tool.tsx";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { IconButton } from "../../shared/ui/element/icon-button.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Dialog, Page } from "../../shared/ui/page/page.tsx";
import { type Tool, tools } from "./api.ts";
import { useTexts } from "./texts.ts";
import { ToolForm } from "./tool-form.tsx";
import toolsCss from "./tools.module.css";

const QUERY_KEYS = [["tool"]] as const;
const GROUPS = [
  "time_and_web",
  "pictures",
  "memory",
  "knowledge",
  "conversation",
  "files",
  "skills",
  "system",
  "plugins",
] as const;

/** The tools of the AI, custom and built-in ones, each with a switch. */
export function ToolsPage() {
  const { t } = useTexts();
  const query = useQuery({ queryKey: ["tool"], queryFn: tools.list });
  /** The tool in the dialog: null for a new one, undefined while the dialog is closed. */
  const [edited, setEdited] = useState<Tool | null>();
  const close = () => setEdited(undefined);
  return (
    <Page
      title={t("tools")}
      hint={t("hint")}
      actions={
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setEdited(null)} data-testid="add-tool">
          {t("add")}
        </Button>
      }
    >
      <Loaded query={query}>
        {({ items }) => {
          const own = items.filter(({ source }) => source === "custom");
          return (
            <Stack gap="lg">
              <section aria-labelledby="own-tools">
                <Title order={2} size="h4" id="own-tools" mb="xs">
                  {t("yourTools")}
                </Title>
                {own.length === 0 ? (
                  <Empty
                    icon="tool"
                    title={t("empty")}
                    hint={t("emptyHint")}
                    action={{ label: t("add"), run: () => setEdited(null) }}
                  />
                ) : (
                  <Card withBorder p={0}>
                    {own.map((tool) => (
                      <ToolRow key={tool.id} tool={tool} edit={setEdited} />
                    ))}
                  </Card>
                )}
              </section>
              {GROUPS.map((group) => (
                <BuiltInGroup key={group} group={group} all={items} />
              ))}
            </Stack>
          );
        }}
      </Loaded>
      <Dialog
        opened={edited !== undefined}
        onClose={close}
        title={edited ? edited.name : t("add")}
        size="xl"
        closeOnClickOutside={false}
      >
        {edited !== undefined && <ToolForm tool={edited ?? undefined} onDone={close} />}
      </Dialog>
    </Page>
  );
}

function BuiltInGroup({ group, all }: { readonly group: (typeof GROUPS)[number]; readonly all: readonly Tool[] }) {
  const { t } = useTexts();
  const groupTools = all.filter(({ source, group: own }) => source !== "custom" && (own ?? "plugins") === group);
  if (groupTools.length === 0) return null;
  return (
    <section aria-labelledby={`tools-${group}`}>
      <Title order={2} size="h4" id={`tools-${group}`} mb="xs">
        {t(`group_${group}`)}
      </Title>
      <Card withBorder p={0}>
        {groupTools.map((tool) => (
          <ToolRow key={tool.id} tool={tool} />
        ))}
      </Card>
    </section>
  );
}

interface RowProps {
  readonly tool: Tool;
  /** Opens the form; only custom tools have one. */
  readonly edit?: (tool: Tool) => void;
}

function ToolRow({ tool, edit }: RowProps) {
  const { t, language } = useTexts();
  const { id, name, enabled, requires_confirm, is_offered } = tool;
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  return (
    <div className={toolsCss.toolRow} data-testid="tool-row" data-tool={name}>
      <div className={toolsCss.toolWords}>
        <Group gap="xs">
          <Text fw={600} size="sm" className={toolsCss.toolName}>
            {name}
          </Text>
          {requires_confirm && (
            <Badge color="gray" variant="light">
              {t("asks")}
            </Badge>
          )}
          {enabled && !is_offered && (
            <Badge color="yellow" variant="light" title={t("notSetUpHint")}>
              {t("notSetUp")}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed" className={toolsCss.toolDescription}>
          {describe(language, tool)}
        </Text>
        <RejectedTool name={name} />
        <Failure error={error} />
      </div>
      <Group gap={4} wrap="nowrap">
        {edit && (
          <>
            <IconButton icon="edit" label={t("edit")} onClick={() => edit(tool)} testId="edit-tool" />
            <ConfirmButton
              icon="trash"
              label={t("remove")}
              what={name}
              run={toHandler(() => tools.remove(id), { throws: true })}
            />
          </>
        )}
        <Switch
          checked={enabled}
          disabled={isBusy}
          onChange={() => void toHandler(() => tools.setEnabled(id, !enabled))()}
          aria-label={`${t("mayBeUsed")}: ${name}`}
          data-testid="tool-switch"
        />
      </Group>
    </div>
  );
}
