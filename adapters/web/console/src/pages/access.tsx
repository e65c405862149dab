import { Alert, Button, Checkbox, Code, CopyButton, Group, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Listed } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import { ConfirmButton, Failure, Loaded, timeOf } from "../parts/common.tsx";

const SCOPES = ["read", "chat", "write", "admin", "mcp"] as const;

interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly key_prefix: string;
  readonly last_used_at: string | null;
}
interface Token {
  readonly hash_full: string;
  readonly token_prefix: string;
  readonly username: string;
  readonly expires_at: string;
  readonly last_used_at: string | null;
  readonly current: boolean;
}

export function AccessPage() {
  const { t } = useTexts();
  return (
    <div className="page">
      <Title order={1} size="h3" mb="md">
        {t("access")}
      </Title>
      <Keys />
      <Tokens />
    </div>
  );
}

function Keys() {
  const { t, language } = useTexts();
  const queries = useQueryClient();
  const keys = useQuery({ queryKey: ["api_key"], queryFn: () => api.get<Listed<Key>>("/api/api-keys?limit=500") });
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly string[]>(["read", "chat"]);
  const [secret, setSecret] = useState<string>();
  const [error, setError] = useState<unknown>();
  const fresh = () => queries.invalidateQueries({ queryKey: ["api_key"] });
  const create = async (event: React.FormEvent) => {
    event.preventDefault();
    try {
      setError(undefined);
      const made = await api.post<{ secret: string }>("/api/api-keys", { name, scopes });
      setSecret(made.secret);
      setName("");
      await fresh();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <section aria-labelledby="keys">
      <Title order={2} size="h4" id="keys">
        {t("apiKeys")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("apiKeysHint")}
      </Text>
      <form onSubmit={create}>
        <Group align="flex-end">
          <TextInput
            label={t("name")}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={100}
            data-testid="key-name"
          />
          <Checkbox.Group label={t("scopes")} value={[...scopes]} onChange={setScopes}>
            <Group gap="sm" mt={6} mb={6}>
              {SCOPES.map((scope) => (
                <Checkbox key={scope} value={scope} label={scope} />
              ))}
            </Group>
          </Checkbox.Group>
          <Button type="submit" data-testid="create-key">
            {t("create")}
          </Button>
        </Group>
      </form>
      <Failure error={error} />
      {secret && <Secret text={secret} />}
      <Loaded query={keys}>
        {({ items }) => (
          <Table.ScrollContainer minWidth={480}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("name")}</Table.Th>
                  <Table.Th>{t("scopes")}</Table.Th>
                  <Table.Th>{t("lastUsed")}</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((key) => (
                  <Table.Tr key={key.id} data-testid="key-row">
                    <Table.Td>
                      {key.name} <Code>{key.key_prefix}…</Code>
                    </Table.Td>
                    <Table.Td>{key.scopes.join(", ")}</Table.Td>
                    <Table.Td>{timeOf(key.last_used_at, language) || t("never")}</Table.Td>
                    <Table.Td>
                      <ConfirmButton
                        label={t("revoke")}
                        run={() => api.remove(`/api/api-keys/${key.id}`).then(fresh)}
                      />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
    </section>
  );
}

function Tokens() {
  const { t, language } = useTexts();
  const queries = useQueryClient();
  const tokens = useQuery({
    queryKey: ["login_token"],
    queryFn: () => api.get<Listed<Token>>("/api/login-tokens?limit=500"),
  });
  const [username, setUsername] = useState("");
  const [text, setText] = useState<string>();
  const [error, setError] = useState<unknown>();
  const fresh = () => queries.invalidateQueries({ queryKey: ["login_token"] });
  const create = async (event: React.FormEvent) => {
    event.preventDefault();
    try {
      setError(undefined);
      setText((await api.post<{ token: string }>("/api/login-tokens", { username })).token);
      setUsername("");
      await fresh();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <section aria-labelledby="tokens" style={{ marginTop: "2rem" }}>
      <Title order={2} size="h4" id="tokens">
        {t("tokens")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("tokensHint")}
      </Text>
      <form onSubmit={create}>
        <Group align="flex-end">
          <TextInput
            label={t("holder")}
            value={username}
            onChange={({ currentTarget }) => setUsername(currentTarget.value)}
            required
            maxLength={64}
          />
          <Button type="submit">{t("create")}</Button>
        </Group>
      </form>
      <Failure error={error} />
      {text && <Secret text={text} />}
      <Loaded query={tokens}>
        {({ items }) => (
          <Table.ScrollContainer minWidth={480}>
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t("holder")}</Table.Th>
                  <Table.Th>{t("expires")}</Table.Th>
                  <Table.Th>{t("lastUsed")}</Table.Th>
                  <Table.Th />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((token) => (
                  <Table.Tr key={token.hash_full}>
                    <Table.Td>
                      {token.username} <Code>{token.token_prefix}…</Code>{" "}
                      {token.current && <Text span size="xs">{`(${t("current")})`}</Text>}
                    </Table.Td>
                    <Table.Td>{timeOf(token.expires_at, language)}</Table.Td>
                    <Table.Td>{timeOf(token.last_used_at, language) || t("never")}</Table.Td>
                    <Table.Td>
                      <ConfirmButton
                        label={t("revoke")}
                        run={() => api.remove(`/api/login-tokens/${token.hash_full}`).then(fresh)}
                      />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Loaded>
    </section>
  );
}

function Secret({ text }: { readonly text: string }) {
  const { t } = useTexts();
  return (
    <Alert color="parley" my="sm" role="status" data-testid="secret">
      <Stack gap={4}>
        <Text size="sm">{t("secretOnce")}</Text>
        <Group gap="xs">
          <Code style={{ overflowWrap: "anywhere" }}>{text}</Code>
          <CopyButton value={text}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="light" onClick={copy}>
                {t(copied ? "copied" : "copy")}
              </Button>
            )}
          </CopyButton>
        </Group>
      </Stack>
    </Alert>
  );
}
