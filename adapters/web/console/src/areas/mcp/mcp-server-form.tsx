import { Alert, Button, Group, Input, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { oneOf } from "../../shared/api/client.ts";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { theirRevision } from "../../shared/ui/changed-meanwhile.tsx";
import { Loaded, useTried } from "../../shared/ui/common.tsx";
import { compared } from "../../shared/ui/differences.tsx";
import { NumberField, SwitchField, TextField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { freeId } from "../../shared/ui/free-id.ts";
import { DescriptionField } from "../../shared/ui/text-fields.tsx";
import { type McpServer, type McpService, type McpTransport, mcp } from "./api.ts";
import { BLANK, type KnownServer } from "./known-servers.ts";
import { badHeader, badVariable, draftOf, fieldsOf, idOf, type McpDraft, NEW_SERVER } from "./mcp-draft.ts";
import { HttpFields, StdioFields } from "./server-reach.tsx";
import { ServerSecrets } from "./server-secrets.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const CHANGED = [["mcp_server"]] as const;
const ID = "(?!.*__)[A-Za-z0-9\\-][A-Za-z0-9_\\-]{1,39}";

interface McpServerFormProps {
  /** Undefined: a new one. */
  readonly server: McpServer | undefined;
  /** What a new one begins with. */
  readonly known?: KnownServer | undefined;
  /** Shows what is stored by now. */
  readonly release?: () => void;
  readonly taken: readonly string[];
  readonly done: () => void;
}

/** Another server: how it is reached and what it is given. The rules are told before anything is sent. */
export function McpServerForm(props: McpServerFormProps) {
  const service = useQuery({ queryKey: ["mcp_service"], queryFn: mcp.service });
  return <Loaded query={service}>{({ client }) => <ServerForm {...props} client={client} />}</Loaded>;
}

function ServerForm({ server, known, release, taken, done, client }: McpServerFormProps & Pick<McpService, "client">) {
  const { t } = useTexts();
  const [begun] = useState<McpDraft>(server ? draftOf(server) : (known?.draft ?? NEW_SERVER));
  const [draft, setDraft] = useState(begun);
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const { headers_env, env_names } = fieldsOf(draft);
  const variables = [...new Set([...Object.values(headers_env), ...env_names])];
  const [givenId, setId] = useState<string>();
  const { tried, isBusy, error } = useTried(CHANGED);
  const put = (patch: Partial<McpDraft>) => setDraft((before) => ({ ...before, ...patch }));
  const id = givenId ?? freeId(idOf(draft.name), taken);
  const isTaken = !server && taken.some((one) => one.toLowerCase() === id.toLowerCase());
  const isHttp = draft.transport === "streamable-http";
  const obstacle = isHttp ? undefined : obstacleOf(client);
  const hasBlank = !isHttp && known !== undefined && BLANK.test(draft.args);
  const isBroken = isHttp ? badHeader(draft.headers) !== undefined : badVariable(draft.env) !== undefined || hasBlank;
  const save = (connects: boolean, how: "checked" | "over-theirs" | "anew" = server ? "checked" : "anew") =>
    tried(async () => {
      const given = Object.fromEntries(variables.flatMap((name) => (secrets[name] ? [[name, secrets[name]]] : [])));
      const fields = { ...fieldsOf(draft), ...(Object.keys(given).length > 0 && { secrets: given }) };
      const ifMatch = how === "checked" ? server?.revision : theirRevision(error);
      const saved =
        server && how !== "anew"
          ? await mcp.update(server.id, fields, ifMatch)
          : await mcp.create({ id: server?.id ?? id, ...fields });
      done();
      // How that goes the card tells, by the socket.
      if (connects && saved.enabled) mcp.connect(saved.id).catch(() => undefined);
    });
  const meanwhile = server && {
    id: server.id,
    compared: compared<McpDraft>(draft, async () => draftOf(oneOf(await mcp.list(), server.id)), put),
    theirs: tried(async () => release?.()),
    mine: save(true, "over-theirs"),
    anew: save(true, "anew"),
  };
  return (
    <Form isChanged={!isSame([draft, secrets], [begun, {}])} error={error} submit={save(true)} meanwhile={meanwhile}>
      <Stack gap="sm">
        <TextField
          name="name"
          label={t("name")}
          value={draft.name}
          put={(name) => put({ name })}
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
            put={setId}
            error={isTaken && t("serverIdTaken")}
            required
            pattern={ID}
            title={t("serverIdLetters")}
            testId="server-id"
          />
        )}
        <Input.Wrapper label={t("kindOfServer")} labelElement="div">
          <SegmentedControl
            size="sm"
            fullWidth
            value={draft.transport}
            onChange={(value) => put({ transport: value as McpTransport })}
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
        {isHttp ? <HttpFields draft={draft} put={put} /> : <StdioFields draft={draft} put={put} client={client} />}
        {known?.entrance === "key" && (
          <Text size="sm" c="dimmed">
            {t("keyValue")}
          </Text>
        )}
        <ServerSecrets
          names={variables}
          kept={server?.kept_secrets ?? []}
          typed={secrets}
          put={(name, value) => setSecrets((before) => ({ ...before, [name]: value }))}
        />
        <DescriptionField value={draft.description} put={(description) => put({ description })} />
        <NumberField
          name="timeout_s"
          label={t("serverTimeout")}
          value={draft.timeout_s}
          put={(seconds) => put({ timeout_s: seconds || 30 })}
          min={1}
          max={600}
        />
        <SwitchField
          name="auto_connect"
          label={t("serverAuto")}
          value={draft.auto_connect}
          put={(auto_connect) => put({ auto_connect })}
        />
        <FormFailure />
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

function obstacleOf({ stdio_enabled, allowed_commands, command_lines }: McpService["client"]): TextKey | undefined {
  if (!stdio_enabled) return "stdioOff";
  return allowed_commands.length + command_lines.length === 0 ? "stdioNone" : undefined;
}
