import { Badge, Code } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { timeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { RecordRow, RecordSection } from "../../shared/ui/record-table.tsx";
import { type LoginToken, loginTokens } from "./api.ts";
import { NewToken } from "./new-token.tsx";
import { useTexts } from "./texts.ts";

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
    <RecordSection
      title={t("tokens")}
      hint={t("tokensHint")}
      form={<NewToken />}
      query={tokens}
      columns={[t("holder"), t("address"), t("lastUsed"), t("expires")]}
      actions={t("revoke")}
      row={(token) => <TokenRow key={token.hash_full} token={token} />}
      foot={others.length > 0 && <ConfirmButton label={t("endOthers")} text={t("endOthersHint")} run={endOthers} />}
    />
  );
}

function TokenRow({ token }: { readonly token: LoginToken }) {
  const { t, language } = useTexts();
  const { tried } = useTried(CHANGED);
  const { hash_full, username, token_prefix, ip_address, last_used_at, expires_at, current } = token;
  return (
    <RecordRow
      testId="token-row"
      cells={[
        <>
          {username} <Code>{token_prefix}…</Code> {current && <Badge variant="light">{t("current")}</Badge>}
        </>,
        ip_address,
        timeOf(last_used_at, language) || t("never"),
        timeOf(expires_at, language),
      ]}
      actions={
        <ConfirmButton
          label={t("revoke")}
          what={`${username} ${token_prefix}… ${ip_address}`}
          text={t(current ? "revokeCurrentHint" : "revokeTokenHint")}
          run={tried(() => loginTokens.remove(hash_full), { throws: true })}
        />
      }
    />
  );
}
