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
export function PasteServers({ usedIds, onDone }: PasteServersProps) {
  const { t } = useTexts();
  const toJsonError = useJsonError();
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [typedSecrets, setTypedSecrets] = useState<Readonly<Record<string, string>>>({});
  const [added, setAdded] = useState<ReadonlySet<string>>(new Set());
  const [failures, setFailures] = useState<ReadonlyMap<string, unknown>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const pasted =
    text.trim() === ""
      ? undefined
      : parseConfig(
          text,
          usedIds.filter((id) => !added.has(id)),
        );
  const servers = pasted && "servers" in pasted ? pasted.servers : [];
  const toAdd = servers.filter(({ id, problem }) => problem === undefined && !added.has(id));
  const toSecrets = ({ id, secrets }: PastedServer) =>
    Object.fromEntries(Object.entries(secrets).map(([name, value]) => [name, typedSecrets[`${id} ${name}`] ?? value]));
  const add = async () => {
    setBusy(true);
    const newFailures = new Map<string, unknown>();
    const newlyAdded = new Set(added);
    for (const server of toAdd) {
      const secrets = Object.fromEntries(Object.entries(toSecrets(server)).filter(([, value]) => value !== ""));
      try {
        await mcp.create({ id: server.id, ...server.fields, secrets });
        newlyAdded.add(server.id);
      } catch (error) {
        newFailures.set(server.id, error);
      }
    }
    setAdded(newlyAdded);
    setFailures(newFailures);
    setBusy(false);
    await refetch(queries, ["mcp_server"]);
    if (newFailures.size === 0 && servers.every(({ id }) => newlyAdded.has(id))) onDone();
  };
  return (
    <Stack gap="sm">
      <UnsavedGuard isChanged={toAdd.length > 0} />
      <Text size="sm" c="dimmed">
        {t("pasteHint")}
      </Text>
      <Textarea
        label={t("pasteLabel")}
        placeholder={EXAMPLE_CONFIG}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        error={pasted && "problem" in pasted && (toJsonError(text) ?? t(pasted.problem))}
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
          secrets={toSecrets(server)}
          onChange={(name, value) => setTypedSecrets((before) => ({ ...before, [`${server.id} ${name}`]: value }))}
          isAdded={added.has(server.id)}
          failure={failures.get(server.id)}
        />
      ))}
      <Group justify="flex-end">
        <CancelButton isClose={added.size > 0} />
        <Button onClick={() => void add()} loading={isBusy} disabled={toAdd.length === 0} data-testid="add-pasted">
          {t("pasteAdd", { count: toAdd.length })}
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
  const endpoint = fields.transport === "stdio" ? [fields.command, ...fields.args].join(" ") : fields.url;
  const variables = Object.entries(fields.env).map(([name, value]) => `${name}=${value}`);
  return (
    <Card withBorder padding="sm" data-testid="pasted-server">
      <Text size="sm" fw={600}>
        {fields.name}
        {!fields.enabled && ` (${t("disabled")})`}
      </Text>
      <Code style={{ overflowWrap: "anywhere" }}>{endpoint}</Code>
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
            description={t(value === "" ? "pasteSecretMissing" : "pasteSecret")}
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
