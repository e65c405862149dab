import { Text } from "@mantine/core";
import { SelectField, TagsField, TextareaField, TextField } from "../../../shared/ui/form/fields.tsx";
import type { McpService } from "../api.ts";
import { useTexts } from "../texts.ts";
import {
  findCommandLine,
  findInvalidHeader,
  findInvalidVariable,
  type McpDraft,
  toDraftFromLine,
} from "./server-draft.ts";

const COMMAND_LINE_PREFIX = "server.";

interface TransportFieldsProps {
  readonly draft: McpDraft;
  readonly onChange: (patch: Partial<McpDraft>) => void;
}

/** Fields of a remote server: address and headers. */
export function HttpFields({ draft, onChange }: TransportFieldsProps) {
  const { t } = useTexts();
  return (
    <>
      <TextField
        name="url"
        label={t("serverUrl")}
        description={t("serverUrlHint")}
        placeholder="https://tools.example/mcp"
        type="url"
        value={draft.url}
        onChange={(url) => onChange({ url })}
        required
        pattern="https?://[^@]+"
        title={t("serverUrlHint")}
        testId="server-url"
      />
      <TextareaField
        name="headers"
        label={t("serverHeaders")}
        description={t("serverHeadersHint")}
        {...useLinesField(draft.headers, findInvalidHeader(draft.headers))}
        onChange={(headers) => onChange({ headers })}
        testId="server-headers"
      />
    </>
  );
}

/** Fields of a local program: an allowed command, its arguments and environment. */
export function StdioFields({ draft, onChange, client }: TransportFieldsProps & Pick<McpService, "client">) {
  const { t } = useTexts();
  const { command, args } = draft;
  const { allowed_commands, command_lines } = client;
  const line = findCommandLine(draft, command_lines);
  // A stored command stays selectable after the operator removed it from the list.
  const isUnlisted = !line && command !== "" && !allowed_commands.includes(command);
  const lines = command_lines.map((one) => ({
    value: COMMAND_LINE_PREFIX + one.name,
    label: `${one.name}: ${one.words.join(" ")}`,
  }));
  const selectCommand = (value: string) => {
    const selected = command_lines.find(({ name }) => COMMAND_LINE_PREFIX + name === value);
    onChange(selected ? toDraftFromLine(selected) : { command: value, ...(line && { args: "" }) });
  };
  const lineFields = { args: useLinesField(args), env: useLinesField(draft.env, findInvalidVariable(draft.env)) };
  return (
    <>
      <Text size="sm" c="dimmed">
        {t("stdioWarning")}
      </Text>
      <SelectField
        name="command"
        label={t("serverCommand")}
        description={t("serverCommandHint")}
        value={line ? COMMAND_LINE_PREFIX + line.name : command}
        onChange={selectCommand}
        data={["", ...allowed_commands, ...lines, ...(isUnlisted ? [command] : [])]}
        required
        testId="server-command"
      />
      {!line && (
        <TextareaField
          name="args"
          label={t("serverArgs")}
          description={t("argsPackage")}
          {...lineFields.args}
          onChange={(next) => onChange({ args: next })}
          required
          testId="server-args"
        />
      )}
      <TextareaField
        name="env"
        label={t("serverEnv")}
        description={t("serverEnvHint")}
        {...lineFields.env}
        onChange={(env) => onChange({ env })}
        testId="server-env"
      />
      <TagsField
        name="env_names"
        label={t("serverEnvNames")}
        description={t("serverEnvNamesHint")}
        value={draft.env_names}
        onChange={(env_names) => onChange({ env_names })}
      />
    </>
  );
}

/** Props of a field with one item per line; shows `invalidLine` as the error. */
function useLinesField(value: string, invalidLine?: string) {
  const { t } = useTexts();
  return {
    value,
    error: invalidLine === undefined ? undefined : `${t("invalidLine")} ${invalidLine}`,
    maxRows: 8,
    spellCheck: false,
  } as const;
}
