import { Button, Card, Code, Group, PasswordInput, Stack, Text, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useJsonError } from "../../../shared/forms/use-json-error.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import { Failure } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { UnsavedGuard } from "../../../shared/ui/form/unsaved-guard.tsx";
import { mcp } from "../api.ts";
import { useTexts } from "../texts.ts";
import { type PastedServer, parseConfig } from "./import-config.ts";

const EXAMPLE_CONFIG = '{ "mcpServers": { "docs": { "url": "https://docs.example/mcp" } } }';

interface PasteServersProps {
  readonly usedIds: readonly string[];
  readonly onDone: () => void;
}

/** Imports servers from another program's configuration, after a preview. */
export function PasteServers({ usedIds: addedIds, onDone }: PasteServersProps) {
  const { t } = useTexts();
  const fault = useJsonError();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<ReadonlyMap<string, unknown>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const pasted =
    text.trim() === ""
      ? undefined
      : parseConfig(
          text,
          addedIds.filter((id) => !added.has(id)),
        );
  const servers = pasted && "servers" in pasted ? pasted.servers : [];
  const open = servers.filter(({ id, problem }) => problem === undefined && !added.has(id));
  const secretsOf = ({ id, secrets }: PastedServer) =>
    Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, typed[`${id} ${name}`] ?? value]));
  const add = async () => {
    setBusy(true);
    const refused = new Map<string, unknown>();
    const taken = new Set(added);
    for (const server of open) {
      const secrets = Object.fromEntries(Object.entries(secretsOf(server)).filter(([, value]) => value !== ""));
      try {
        await mcp.create({ id: server.id, ...server.fields, secrets });
        taken.add(server.id);
      } catch (error) {
        refused.set(server.id, error);
      }
    }
    setAdded(taken);
    setFailures(refused);
    setBusy(false);
    await refetch(queries, ["mcp_server"]);
    if (refused.size === 0 && servers.every(({ id }) => taken.has(id))) onDone();
  };
  return (
    <Stack gap="sm">
      <UnsavedGuard isChanged={open.length > 0} />
      <Text size="sm" c="dimmed">
        {t("pasteHint")}
      </Text>
      <Textarea
        label={t("pasteLabel")}
        placeholder={EXAMPLE_CONFIG}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        error={pasted && "problem" in pasted && (fault(text) ?? t(pasted.problem))}
        autosize
        minRows={6}
        maxRows={14}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: "0.8rem" } }}
        data-autofocus
        data-testid="paste-servers"
      />
      {servers.map((server) => (
        <PastedServerPreview
          key={server.id}
          server={server}
          secrets={secretsOf(server)}
          onChange={(name, value) => setTyped((before) => ({ ...before, [`${server.id} ${name}`]: value }))}
          isAdded={added.has(server.id)}
          failure={failures.get(server.id)}
        />
      ))}
      <Group justify="flex-end">
        <CancelButton isClose={added.size > 0} />
        <Button onClick={() => void add()} loading={isBusy} disabled={open.length === 0} data-testid="add-pasted">
          {t("pasteAdd", { count: open.length })}
        </Button>
      </Group>
    </Stack>
  );
}

interface PastedServerPreviewProps {
  readonly server: PastedServer;
  readonly secrets: Readonly<Record<string, string>>;
  readonly onChange: (name: string, value: string) => void;
  readonly isAdded: boolean;
  readonly failure: unknown;
}

/** A preview of one pasted server, with the reason why it cannot be added. */
function PastedServerPreview({
  server: { fields, problem },
  secrets,
  onChange,
  isAdded,
  failure,
}: PastedServerPreviewProps) {
  const { t } = useTexts();
  const way = fields.transport === "stdio" ? [fields.command, ...fields.args].join(" ") : fields.url;
  const variables = Object.entries(fields.env).map(([name, value]) => `${name}=${value}`);
  return (
    <Card withBorder padding="sm" data-testid="pasted-server">
      <Text size="sm" fw={600}>
        {fields.name}
        {!fields.enabled && ` (${t("disabled")})`}
      </Text>
      <Code style={{ overflowWrap: "anywhere" }}>{way}</Code>
      {variables.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          {variables.join(", ")}
        </Text>
      )}
      {!isAdded &&
        Object.entries(secrets).map(([name, value]) => (
          <PasswordInput
            key={name}
            size="xs"
            mt={6}
            label={name}
            description={t(value === "" ? "pasteSecretOpen" : "pasteSecret")}
            autoComplete="off"
            value={value}
            onChange={({ currentTarget }) => onChange(name, currentTarget.value)}
          />
        ))}
      {problem && (
        <Text size="sm" c="red" mt={4} role="alert">
          {t(problem)}
        </Text>
      )}
      {isAdded && (
        <Text size="sm" mt={4} role="status">
          {t("pasteAdded")}
        </Text>
      )}
      {!isAdded && <Failure error={failure} />}
    </Card>
  );
}
