import { Text } from "@mantine/core";
import { ChoiceField, LongField, TextField, WordsField } from "../../shared/ui/fields.tsx";
import type { McpService } from "./api.ts";
import { badHeader, badVariable, commandLineOf, draftOfLine, type McpDraft } from "./mcp-draft.ts";
import { useTexts } from "./texts.ts";

const LINE = "server.";

interface ReachProps {
  readonly draft: McpDraft;
  readonly put: (patch: Partial<McpDraft>) => void;
}

/** A server somewhere: its address, and what is sent along. */
export function HttpFields({ draft, put }: ReachProps) {
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
        put={(url) => put({ url })}
        required
        pattern="https?://[^@]+"
        title={t("serverUrlHint")}
        testId="server-url"
      />
      <LongField
        name="headers"
        label={t("serverHeaders")}
        description={t("serverHeadersHint")}
        {...useLines(draft.headers, badHeader(draft.headers))}
        put={(headers) => put({ headers })}
        testId="server-headers"
      />
    </>
  );
}

/** A program on this machine: a command that is allowed, and what it is given. */
export function StdioFields({ draft, put, client }: ReachProps & Pick<McpService, "client">) {
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
  const written = { args: useLines(args), env: useLines(draft.env, badVariable(draft.env)) };
  return (
    <>
      <Text size="sm" c="dimmed">
        {t("stdioRule")}
      </Text>
      <ChoiceField
        name="command"
        label={t("serverCommand")}
        description={t("serverCommandHint")}
        value={line ? LINE + line.name : command}
        put={choose}
        data={["", ...allowed_commands, ...lines, ...(isOld ? [command] : [])]}
        required
        testId="server-command"
      />
      {!line && (
        <LongField
          name="args"
          label={t("serverArgs")}
          description={t("argsPackage")}
          {...written.args}
          put={(next) => put({ args: next })}
          required
          testId="server-args"
        />
      )}
      <LongField
        name="env"
        label={t("serverEnv")}
        description={t("serverEnvHint")}
        {...written.env}
        put={(env) => put({ env })}
        testId="server-env"
      />
      <WordsField
        name="env_names"
        label={t("serverEnvNames")}
        description={t("serverEnvNamesHint")}
        value={draft.env_names}
        put={(env_names) => put({ env_names })}
      />
    </>
  );
}

/** Something on each line; `bad`: the first that cannot be read. */
function useLines(value: string, bad?: string) {
  const { t } = useTexts();
  return {
    value,
    error: bad === undefined ? undefined : `${t("badLine")} ${bad}`,
    maxRows: 8,
    spellCheck: false,
  } as const;
}
