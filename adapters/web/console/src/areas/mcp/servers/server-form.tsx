import { Alert, Button, Group, Input, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { findById } from "../../../shared/api/client.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { DescriptionField } from "../../../shared/ui/form/description-field.tsx";
import { NumberField, SwitchField, TextField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../../shared/ui/form/form.tsx";
import { toUniqueId } from "../../../shared/ui/form/unique-id.ts";
import { useRecordForm } from "../../../shared/ui/form/use-record-form.ts";
import { type McpServer, type McpService, mcp } from "../api.ts";
import { type TextKey, useTexts } from "../texts.ts";
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
  /** Undefined for a new server. */
  readonly server: McpServer | undefined;
  readonly template?: KnownServer | undefined;
  readonly usedIds: readonly string[];
  readonly onDone: () => void;
}

/** The form of an MCP server: transport, arguments and secrets. Shows beforehand why a program could not be started. */
export function McpServerForm(props: McpServerFormProps) {
  const service = useQuery({ queryKey: ["mcp_service"], queryFn: mcp.getService });
  return <Loaded query={service}>{({ client }) => <ServerForm {...props} client={client} />}</Loaded>;
}

function ServerForm({ server, template, usedIds, onDone, client }: McpServerFormProps & Pick<McpService, "client">) {
  const { t } = useTexts();
  const [chosenId, setId] = useState<string>();
  const toFreeId = ({ name }: McpDraft) => chosenId ?? toUniqueId(toId(name), usedIds);
  const isConnecting = useRef(true);
  const { props, draft, update, field, isBusy, save } = useRecordForm({
    queryKeys: QUERY_KEYS,
    record: server,
    toDraft: (stored): Draft => ({ ...(stored ? toDraft(stored) : (template?.draft ?? NEW_SERVER)), secrets: {} }),
    secrets: ["secrets"],
    ...(server && { read: async () => findById(await mcp.list(), server.id) }),
    change: (before, draft, ifMatch) => mcp.update(before.id, toRequest(draft), ifMatch),
    create: (draft) => mcp.create({ id: server?.id ?? toFreeId(draft), ...toRequest(draft) }),
    onSaved: (stored) => {
      onDone();
      // The card shows the outcome, which arrives over the socket.
      if (isConnecting.current && stored?.enabled) mcp.connect(stored.id).catch(() => undefined);
      isConnecting.current = true;
    },
  });
  const id = toFreeId(draft);
  const isTaken = !server && usedIds.some((one) => one.toLowerCase() === id.toLowerCase());
  const isHttp = draft.transport === "streamable-http";
  const obstacle = isHttp ? undefined : getObstacle(client);
  const hasPlaceholder = !isHttp && template !== undefined && PLACEHOLDER.test(draft.args);
  const isBroken = isHttp
    ? findInvalidHeader(draft.headers) !== undefined
    : findInvalidVariable(draft.env) !== undefined || hasPlaceholder;
  return (
    <Form {...props}>
      <Stack gap="sm">
        <TextField label={t("name")} {...field("name")} required maxLength={100} data-autofocus testId="server-name" />
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
        <Input.Wrapper label={t("connectionKind")} labelElement="div">
          <SegmentedControl
            size="sm"
            fullWidth
            value={draft.transport}
            onChange={(value) => update({ transport: value })}
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
        {hasPlaceholder && (
          <Alert color="parley" role="status" data-testid="fill-blanks">
            {t("fillPlaceholders")}
          </Alert>
        )}
        {isHttp ? (
          <HttpFields draft={draft} onChange={update} />
        ) : (
          <StdioFields draft={draft} onChange={update} client={client} />
        )}
        {template?.auth === "key" && (
          <Text size="sm" c="dimmed">
            {t("headerValueHint")}
          </Text>
        )}
        <ServerSecrets
          names={toVariables(draft)}
          storedNames={server?.kept_secrets ?? []}
          values={draft.secrets}
          onChange={(name, value) => update({ secrets: { ...draft.secrets, [name]: value } })}
        />
        <DescriptionField {...field("description")} />
        <NumberField
          label={t("serverTimeout")}
          {...field("timeout_s")}
          onChange={(seconds) => update({ timeout_s: seconds || 30 })}
          min={1}
          max={600}
        />
        <SwitchField label={t("serverAuto")} {...field("auto_connect")} />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button
            variant="default"
            onClick={() => {
              isConnecting.current = false;
              return save();
            }}
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

/** A server in the form, with newly typed secrets; stored ones are never sent to the page. */
type Draft = McpDraft & { readonly secrets: Readonly<Record<string, string>> };

/** Returns the names of the variables that the server reads. */
function toVariables(draft: McpDraft): readonly string[] {
  const { headers_env, env_names } = toServerFields(draft);
  return [...new Set([...Object.values(headers_env), ...env_names])];
}

function toRequest({ secrets, ...draft }: Draft) {
  const typed = Object.fromEntries(
    toVariables(draft).flatMap((name) => (secrets[name] ? [[name, secrets[name]] as const] : [])),
  );
  return { ...toServerFields(draft), ...(Object.keys(typed).length > 0 && { secrets: typed }) };
}

function getObstacle({ stdio_enabled, allowed_commands, command_lines }: McpService["client"]): TextKey | undefined {
  if (!stdio_enabled) return "stdioOff";
  return allowed_commands.length + command_lines.length === 0 ? "stdioNone" : undefined;
}
