import { Alert, Button, Group, Input, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isDeepEqual } from "../../../resource/form/fields.ts";
import { findById } from "../../../shared/api/client.ts";
import { Loaded, useAction } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { createComparison } from "../../../shared/ui/form/conflict-differences.tsx";
import { getConflictRevision } from "../../../shared/ui/form/edit-conflict.tsx";
import { NumberField, SwitchField, TextField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../../shared/ui/form/form.tsx";
import { toUniqueId } from "../../../shared/ui/form/free-id.ts";
import { DescriptionField } from "../../../shared/ui/form/text-fields.tsx";
import { type McpServer, type McpService, type McpTransport, mcp } from "../api.ts";
import type { TextKey } from "../texts.ts";
import { useTexts } from "../texts.ts";
import { type KnownServer, PLACEHOLDER } from "./known-servers.ts";
import {
  findInvalidHeader,
  findInvalidVariable,
  type McpDraft,
  NEW_SERVER,
  toDraft,
  toId,
  toServerFields,
} from "./server-draft.ts";
import { ServerSecrets } from "./server-secrets.tsx";
import { HttpFields, StdioFields } from "./transport-fields.tsx";

const QUERY_KEYS = [["mcp_server"]] as const;
const ID_PATTERN = "(?!.*__)[A-Za-z0-9\\-][A-Za-z0-9_\\-]{1,39}";

interface McpServerFormProps {
  /** Undefined: a new one. */
  readonly server: McpServer | undefined;
  /** Template of a new server. */
  readonly template?: KnownServer | undefined;
  /** Discards the draft and shows the stored server. */
  readonly release?: () => void;
  readonly usedIds: readonly string[];
  readonly onDone: () => void;
}

/** The form of an MCP server: transport, arguments and secrets. The limits are shown before anything is sent. */
export function McpServerForm(props: McpServerFormProps) {
  const service = useQuery({ queryKey: ["mcp_service"], queryFn: mcp.service });
  return <Loaded query={service}>{({ client }) => <ServerForm {...props} client={client} />}</Loaded>;
}

function ServerForm({
  server,
  template,
  release,
  usedIds,
  onDone,
  client,
}: McpServerFormProps & Pick<McpService, "client">) {
  const { t } = useTexts();
  const [initialDraft] = useState<McpDraft>(server ? toDraft(server) : (template?.draft ?? NEW_SERVER));
  const [draft, setDraft] = useState(initialDraft);
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const { headers_env, env_names } = toServerFields(draft);
  const variables = [...new Set([...Object.values(headers_env), ...env_names])];
  const [givenId, setId] = useState<string>();
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const update = (patch: Partial<McpDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const id = givenId ?? toUniqueId(toId(draft.name), usedIds);
  const isTaken = !server && usedIds.some((one) => one.toLowerCase() === id.toLowerCase());
  const isHttp = draft.transport === "streamable-http";
  const obstacle = isHttp ? undefined : getObstacle(client);
  const hasBlank = !isHttp && template !== undefined && PLACEHOLDER.test(draft.args);
  const isBroken = isHttp
    ? findInvalidHeader(draft.headers) !== undefined
    : findInvalidVariable(draft.env) !== undefined || hasBlank;
  const save = (connects: boolean, how: "checked" | "over-theirs" | "anew" = server ? "checked" : "anew") =>
    toHandler(async () => {
      const secretValues = Object.fromEntries(
        variables.flatMap((name) => (secrets[name] ? [[name, secrets[name]]] : [])),
      );
      const fields = {
        ...toServerFields(draft),
        ...(Object.keys(secretValues).length > 0 && { secrets: secretValues }),
      };
      const ifMatch = how === "checked" ? server?.revision : getConflictRevision(error);
      const saved =
        server && how !== "anew"
          ? await mcp.update(server.id, fields, ifMatch)
          : await mcp.create({ id: server?.id ?? id, ...fields });
      onDone();
      // How that goes the card tells, by the socket.
      if (connects && saved.enabled) mcp.connect(saved.id).catch(() => undefined);
    });
  const meanwhile = server && {
    id: server.id,
    comparison: createComparison<McpDraft>(draft, async () => toDraft(findById(await mcp.list(), server.id)), update),
    onTakeTheirs: toHandler(async () => release?.()),
    onKeepMine: save(true, "over-theirs"),
    onSaveAsNew: save(true, "anew"),
  };
  return (
    <Form
      isChanged={!isDeepEqual([draft, secrets], [initialDraft, {}])}
      error={error}
      onSubmit={save(true)}
      conflict={meanwhile}
    >
      <Stack gap="sm">
        <TextField
          name="name"
          label={t("name")}
          value={draft.name}
          onChange={(name) => update({ name })}
          required
          maxLength={100}
          data-autofocus
          testId="server-name"
        />
        {!server && (
          <TextField
            name="id"
            label={t("serverId")}
            description={t("serverIdHint")}
            value={id}
            onChange={setId}
            error={isTaken && t("serverIdTaken")}
            required
            pattern={ID_PATTERN}
            title={t("serverIdLetters")}
            testId="server-id"
          />
        )}
        <Input.Wrapper label={t("kindOfServer")} labelElement="div">
          <SegmentedControl
            size="sm"
            fullWidth
            value={draft.transport}
            onChange={(value) => update({ transport: value as McpTransport })}
            data={[
              { value: "streamable-http", label: t("kindHttp") },
              { value: "stdio", label: t("kindStdio") },
            ]}
            data-testid="server-kind"
          />
        </Input.Wrapper>
        {obstacle && (
          <Alert color="yellow" role="alert" data-testid="stdio-obstacle">
            {t(obstacle)}
          </Alert>
        )}
        {hasBlank && (
          <Alert color="parley" role="status" data-testid="fill-blanks">
            {t("fillBlanks")}
          </Alert>
        )}
        {isHttp ? (
          <HttpFields draft={draft} onChange={update} />
        ) : (
          <StdioFields draft={draft} onChange={update} client={client} />
        )}
        {template?.auth === "key" && (
          <Text size="sm" c="dimmed">
            {t("keyValue")}
          </Text>
        )}
        <ServerSecrets
          names={variables}
          storedNames={server?.kept_secrets ?? []}
          typed={secrets}
          onChange={(name, value) => setSecrets((before) => ({ ...before, [name]: value }))}
        />
        <DescriptionField value={draft.description} onChange={(description) => update({ description })} />
        <NumberField
          name="timeout_s"
          label={t("serverTimeout")}
          value={draft.timeout_s}
          onChange={(seconds) => update({ timeout_s: seconds || 30 })}
          min={1}
          max={600}
        />
        <SwitchField
          name="auto_connect"
          label={t("serverAuto")}
          value={draft.auto_connect}
          onChange={(auto_connect) => update({ auto_connect })}
        />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button
            variant="default"
            onClick={save(false)}
            disabled={isTaken || isBroken || isBusy || obstacle !== undefined}
          >
            {t(server ? "save" : "add")}
          </Button>
          <Button
            type="submit"
            loading={isBusy}
            disabled={isTaken || isBroken || obstacle !== undefined}
            data-testid="save-server"
          >
            {t(server ? "saveAndConnect" : "addAndConnect")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function getObstacle({ stdio_enabled, allowed_commands, command_lines }: McpService["client"]): TextKey | undefined {
  if (!stdio_enabled) return "stdioOff";
  return allowed_commands.length + command_lines.length === 0 ? "stdioNone" : undefined;
}
