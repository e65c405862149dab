import { Badge, Button, Code, Group, NativeSelect, Table, Text, TextInput, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type LoginToken, loginTokens } from "../api/access.ts";
import { useTexts } from "../i18n.ts";
import { ConfirmButton, Failure, Loaded, timeOf, useTried } from "./common.tsx";
import { SecretOnce } from "./secret-once.tsx";

const CHANGED = [["login_token"]] as const;

/** Credentials of people: browsers that are signed in, and devices that cannot show a form. */
export function LoginTokens() {
  const { t } = useTexts();
  const tokens = useQuery({ queryKey: ["login_token"], queryFn: loginTokens.list });
  const { tried } = useTried(CHANGED);
  const others = (tokens.data?.items ?? []).filter(({ current }) => !current);
  const endOthers = tried(
    async () => {
      for (const { hash_full } of others) await loginTokens.remove(hash_full);
    },
    { throws: true },
  );
  return (
    <section aria-labelledby="tokens" style={{ marginTop: "2rem" }}>
      <Title order={2} size="h4" id="tokens">
        {t("tokens")}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t("tokensHint")}
      </Text>
      <NewToken />
      <Loaded query={tokens}>
        {({ items }) => (
          <>
            <Table.ScrollContainer minWidth={560} mt="sm">
              <Table verticalSpacing={6} fz="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t("holder")}</Table.Th>
                    <Table.Th>{t("address")}</Table.Th>
                    <Table.Th>{t("lastUsed")}</Table.Th>
                    <Table.Th>{t("expires")}</Table.Th>
                    <Table.Th>
                      <span className="unseen">{t("revoke")}</span>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {items.map((token) => (
                    <TokenRow key={token.hash_full} token={token} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
            {others.length > 0 && <ConfirmButton label={t("endOthers")} text={t("endOthersHint")} run={endOthers} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function NewToken() {
  const { t } = useTexts();
  const [holder, setHolder] = useState("");
  const [days, setDays] = useState("30");
  const [secret, setSecret] = useState<string>();
  const { tried, isBusy, error } = useTried(CHANGED);
  const create = tried(async () => {
    setSecret(undefined);
    setSecret((await loginTokens.create(holder, Number(days))).token);
    setHolder("");
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
            label={t("holder")}
            value={holder}
            onChange={({ currentTarget }) => setHolder(currentTarget.value)}
            required
            maxLength={64}
            data-testid="token-holder"
          />
          <NativeSelect
            label={t("expires")}
            value={days}
            onChange={({ currentTarget }) => setDays(currentTarget.value)}
            data={[
              { value: "1", label: t("days1") },
              { value: "30", label: t("days30") },
              { value: "365", label: t("days365") },
            ]}
          />
          <Button type="submit" loading={isBusy} data-testid="create-token">
            {t("create")}
          </Button>
        </Group>
      </form>
      <Failure error={error} />
      {secret && <SecretOnce secret={secret} />}
    </>
  );
}

function TokenRow({ token }: { readonly token: LoginToken }) {
  const { t, language } = useTexts();
  const { tried } = useTried(CHANGED);
  const { hash_full, username, token_prefix, ip_address, last_used_at, expires_at, current } = token;
  return (
    <Table.Tr data-testid="token-row">
      <Table.Td>
        {username} <Code>{token_prefix}…</Code>{" "}
        {current && (
          <Badge variant="light" tt="none">
            {t("current")}
          </Badge>
        )}
      </Table.Td>
      <Table.Td>{ip_address}</Table.Td>
      <Table.Td>{timeOf(last_used_at, language) || t("never")}</Table.Td>
      <Table.Td>{timeOf(expires_at, language)}</Table.Td>
      <Table.Td ta="right">
        <ConfirmButton
          label={t("revoke")}
          text={t(current ? "revokeCurrentHint" : "revokeTokenHint")}
          run={tried(() => loginTokens.remove(hash_full), { throws: true })}
        />
      </Table.Td>
    </Table.Tr>
  );
}
