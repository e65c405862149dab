import { Button, Checkbox, Code, Group, NativeSelect, Switch, Table, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ApiKey, apiKeys } from "../api/access.ts";
import { useTexts } from "../i18n.ts";
import { ConfirmButton, Failure, Loaded, timeOf, useTried } from "./common.tsx";
import { SecretOnce } from "./secret-once.tsx";

const SCOPES = ["read", "chat", "write", "admin", "mcp"] as const;
const CHANGED = [["api_key"]] as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Credentials of programs. */
export function ApiKeys() {
  const { t } = useTexts();
  const keys = useQuery({ queryKey: ["api_key"], queryFn: apiKeys.list });
  return (
    <section aria-labelledby="keys">
      <Title order={2} size="h4" id="keys">
        {t("apiKeys")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("apiKeysHint")}
      </Text>
      <NewKey />
      <Loaded query={keys}>
        {({ items }) =>
          items.length > 0 && (
            <Table.ScrollContainer minWidth={560} mt="sm">
              <Table verticalSpacing={6} fz="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t("name")}</Table.Th>
                    <Table.Th>{t("scopes")}</Table.Th>
                    <Table.Th>{t("lastUsed")}</Table.Th>
                    <Table.Th>{t("expires")}</Table.Th>
                    <Table.Th>{t("enabled")}</Table.Th>
                    <Table.Th>
                      <span className="unseen">{t("revoke")}</span>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {items.map((key) => (
                    <KeyRow key={key.id} apiKey={key} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
    </section>
  );
}

function NewKey() {
  const { t } = useTexts();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["read", "chat"]);
  const [days, setDays] = useState("");
  const [secret, setSecret] = useState<string>();
  const { tried, isBusy, error } = useTried(CHANGED);
  const create = tried(async () => {
    setSecret(undefined);
    const expires_at = days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null;
    const made = await apiKeys.create({ name, scopes, expires_at });
    setSecret(made.secret);
    setName("");
  });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    void create();
  };
  return (
    <>
      <form onSubmit={submit}>
        <Group align="flex-end" gap="md">
          <TextInput
            label={t("name")}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={100}
            data-testid="key-name"
          />
          <Checkbox.Group label={t("scopes")} value={[...scopes]} onChange={setScopes}>
            <Group gap="sm" mih={36} align="center">
              {SCOPES.map((scope) => (
                <Checkbox key={scope} size="sm" value={scope} label={scope} title={t(`scope_${scope}`)} />
              ))}
            </Group>
          </Checkbox.Group>
          <NativeSelect
            label={t("expires")}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            data={[
              { value: "", label: t("unlimited") },
              { value: "30", label: t("days30") },
              { value: "90", label: t("days90") },
              { value: "365", label: t("days365") },
            ]}
          />
          <Button type="submit" loading={isBusy} disabled={scopes.length === 0} data-testid="create-key">
            {t("create")}
          </Button>
        </Group>
      </form>
      <Failure error={error} />
      {secret && <SecretOnce secret={secret} />}
    </>
  );
}

function KeyRow({
  apiKey: { id, name, key_prefix, scopes, last_used_at, expires_at, enabled },
}: {
  readonly apiKey: ApiKey;
}) {
  const { t, language } = useTexts();
  const { tried, error } = useTried(CHANGED);
  return (
    <Table.Tr data-testid="key-row">
      <Table.Td>
        {name} <Code>{key_prefix}…</Code>
        <Failure error={error} />
      </Table.Td>
      <Table.Td>{scopes.join(", ")}</Table.Td>
      <Table.Td>{timeOf(last_used_at, language) || t("never")}</Table.Td>
      <Table.Td>{timeOf(expires_at, language) || t("unlimited")}</Table.Td>
      <Table.Td>
        <Switch
          size="sm"
          checked={enabled}
          onChange={tried(() => apiKeys.update(id, { enabled: !enabled }))}
          aria-label={`${t("enabled")}: ${name}`}
        />
      </Table.Td>
      <Table.Td ta="right">
        <ConfirmButton
          label={t("revoke")}
          text={t("revokeKeyHint")}
          run={tried(() => apiKeys.remove(id), { throws: true })}
        />
      </Table.Td>
    </Table.Tr>
  );
}
