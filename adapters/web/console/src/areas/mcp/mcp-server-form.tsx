import {
  Alert,
  Button,
  Group,
  Input,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  Switch,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { Loaded, useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { freeId } from "../../shared/ui/free-id.ts";
import { DescriptionField } from "../../shared/ui/text-fields.tsx";
import { type McpServer, type McpService, type McpTransport, mcp } from "./api.ts";
import {
  badHeader,
  badVariable,
  commandLineOf,
  draftOf,
  draftOfLine,
  fieldsOf,
  idOf,
  type McpDraft,
  NEW_SERVER,
} from "./mcp-draft.ts";
import { ServerSecrets } from "./server-secrets.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const CHANGED = [["mcp_server"]] as const;
const LINE = "server.";
const ID = "(?!.*__)[A-Za-z0-9\\-][A-Za-z0-9_\\-]{1,39}";

interface McpServerFormProps {
  /** Undefined: a new one. */
  readonly server: McpServer | undefined;
  readonly taken: readonly string[];
  readonly done: () => void;
}

/** Another server: how it is reached and what it is given. The rules are told before anything is sent. */
export function McpServerForm(props: McpServerFormProps) {
  const service = useQuery({ queryKey: ["mcp_service"], queryFn: mcp.service });
  return <Loaded query={service}>{({ client }) => <ServerForm {...props} client={client} />}</Loaded>;
}

type Put = (patch: Partial<McpDraft>) => void;

function ServerForm({ server, taken, done, client }: McpServerFormProps & Pick<McpService, "client">) {
  const { t } = useTexts();
  const [begun] = useState<McpDraft>(server ? draftOf(server) : NEW_SERVER);
  const [draft, setDraft] = useState(begun);
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const { headers_env, env_names } = fieldsOf(draft);
  const variables = [...new Set([...Object.values(headers_env), ...env_names])];
  const [givenId, setId] = useState<string>();
  const { tried, isBusy, error } = useTried(CHANGED);
  const put: Put = (patch) => setDraft((before) => ({ ...before, ...patch }));
  const id = givenId ?? freeId(idOf(draft.name), taken);
  const isTaken = !server && taken.some((one) => one.toLowerCase() === id.toLowerCase());
  const isHttp = draft.transport === "streamable-http";
  const obstacle = isHttp ? undefined : obstacleOf(client);
  const isBroken = isHttp ? badHeader(draft.headers) !== undefined : badVariable(draft.env) !== undefined;
  const save = (connects: boolean) =>
    tried(async () => {
      const given = Object.fromEntries(variables.flatMap((name) => (secrets[name] ? [[name, secrets[name]]] : [])));
      const fields = { ...fieldsOf(draft), ...(Object.keys(given).length > 0 && { secrets: given }) };
      const saved = server ? await mcp.update(server.id, fields) : await mcp.create({ id, ...fields });
      done();
      // How that goes the card tells, by the socket.
      if (connects && saved.enabled) mcp.connect(saved.id).catch(() => undefined);
    });
  return (
    <Form isChanged={!isSame([draft, secrets], [begun, {}]) && !isBusy} error={error} submit={save(true)}>
      <Stack gap="sm">
        <At name="name">
          <TextInput
            label={t("name")}
            value={draft.name}
            onChange={({ currentTarget }) => put({ name: currentTarget.value })}
            required
            maxLength={100}
            data-autofocus
            data-testid="server-name"
          />
        </At>
        {!server && (
          <At name="id">
            <TextInput
              label={t("serverId")}
              description={t("serverIdHint")}
              value={id}
              onChange={({ currentTarget }) => setId(currentTarget.value)}
              error={isTaken && t("serverIdTaken")}
              required
              pattern={ID}
              title={t("serverIdLetters")}
              data-testid="server-id"
            />
          </At>
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
        {isHttp ? <HttpFields draft={draft} put={put} /> : <StdioFields draft={draft} put={put} client={client} />}
        <ServerSecrets
          names={variables}
          kept={server?.kept_secrets ?? []}
          typed={secrets}
          put={(name, value) => setSecrets((before) => ({ ...before, [name]: value }))}
        />
        <DescriptionField value={draft.description} put={(description) => put({ description })} />
        <At name="timeout_s">
          <NumberInput
            label={t("serverTimeout")}
            value={draft.timeout_s}
            onChange={(value) => put({ timeout_s: Number(value) || 30 })}
            min={1}
            max={600}
            allowDecimal={false}
          />
        </At>
        <At name="auto_connect">
          <Switch
            label={t("serverAuto")}
            checked={draft.auto_connect}
            onChange={({ currentTarget }) => put({ auto_connect: currentTarget.checked })}
          />
        </At>
        <FormFailure />
        <Group justify="flex-end">
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

interface FieldsProps {
  readonly draft: McpDraft;
  readonly put: Put;
}

function HttpFields({ draft, put }: FieldsProps) {
  const { t } = useTexts();
  return (
    <>
      <At name="url">
        <TextInput
          label={t("serverUrl")}
          description={t("serverUrlHint")}
          placeholder="https://tools.example/mcp"
          type="url"
          value={draft.url}
          onChange={({ currentTarget }) => put({ url: currentTarget.value })}
          required
          pattern="https?://[^@]+"
          title={t("serverUrlHint")}
          data-testid="server-url"
        />
      </At>
      <At name="headers">
        <Lines
          label="serverHeaders"
          hint="serverHeadersHint"
          value={draft.headers}
          bad={badHeader(draft.headers)}
          change={(headers) => put({ headers })}
          testId="server-headers"
        />
      </At>
    </>
  );
}

function StdioFields({ draft, put, client }: FieldsProps & Pick<McpService, "client">) {
  const { t } = useTexts();
  const { command, args } = draft;
  const { allowed_commands, command_lines } = client;
  const line = commandLineOf(draft, command_lines);
  // What was listed once is still shown.
  const isOld = !line && command !== "" && !allowed_commands.includes(command);
  const lines = command_lines.map((one) => ({ value: LINE + one.name, label: `${one.name}: ${one.words.join(" ")}` }));
  const choose = (value: string) => {
    const chosen = command_lines.find(({ name }) => LINE + name === value);
    put(chosen ? draftOfLine(chosen) : { command: value, ...(line && { args: "" }) });
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        {t("stdioRule")}
      </Text>
      <At name="command">
        <NativeSelect
          label={t("serverCommand")}
          description={t("serverCommandHint")}
          value={line ? LINE + line.name : command}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={["", ...allowed_commands, ...lines, ...(isOld ? [command] : [])]}
          required
          data-testid="server-command"
        />
      </At>
      {!line && (
        <At name="args">
          <Lines
            label="serverArgs"
            hint="argsPackage"
            value={args}
            bad={undefined}
            change={(next) => put({ args: next })}
            isRequired
            testId="server-args"
          />
        </At>
      )}
      <At name="env">
        <Lines
          label="serverEnv"
          hint="serverEnvHint"
          value={draft.env}
          bad={badVariable(draft.env)}
          change={(env) => put({ env })}
          testId="server-env"
        />
      </At>
      <At name="env_names">
        <TagsInput
          label={t("serverEnvNames")}
          description={t("serverEnvNamesHint")}
          value={[...draft.env_names]}
          onChange={(env_names) => put({ env_names })}
        />
      </At>
    </>
  );
}

interface LinesProps {
  readonly label: TextKey;
  readonly hint: TextKey;
  readonly value: string;
  readonly bad: string | undefined;
  readonly change: (value: string) => void;
  readonly isRequired?: boolean;
  readonly testId: string;
  readonly error?: React.ReactNode;
}

function Lines({ label, hint, value, bad, change, isRequired = false, testId, error }: LinesProps) {
  const { t } = useTexts();
  return (
    <Textarea
      label={t(label)}
      description={t(hint)}
      value={value}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      error={bad === undefined ? error : `${t("badLine")} ${bad}`}
      required={isRequired}
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      data-testid={testId}
    />
  );
}

function obstacleOf({ stdio_enabled, allowed_commands, command_lines }: McpService["client"]): TextKey | undefined {
  if (!stdio_enabled) return "stdioOff";
  return allowed_commands.length + command_lines.length === 0 ? "stdioNone" : undefined;
}
