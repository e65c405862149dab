import { Badge, Code } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCurrentUser, useHasScope } from "../../shared/api/console.ts";
import { readAllPages } from "../../shared/api/list-pages.ts";
import { formatTime, useAction } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { RecordSection } from "../../shared/ui/table/record-list.tsx";
import { RecordRow } from "../../shared/ui/table/record-table.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { type LoginToken, loginTokens, ownLogins } from "./api.ts";
import { NewToken } from "./new-token.tsx";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["login_token"]] as const;

/** The logins of the current user: browsers, and tokens for devices that cannot show a form. */
export function OwnLogins() {
  const { t } = useTexts();
  const isAdmin = useHasScope("admin");
  const logins = usePagedList({
    queryKey: ["login_token", "own"],
    read: (page) => ownLogins.list(page),
    getId: ({ hash_full }) => hash_full,
  });
  const { toHandler } = useAction(QUERY_KEYS);
  const others = (logins.data?.items ?? []).filter(({ current }) => !current);
  return (
    <RecordSection
      title={t("logins")}
      hint={t("loginsHint")}
      form={isAdmin && <NewToken />}
      query={logins}
      columns={[t("device"), t("address"), t("lastUsed"), t("expires")]}
      actions={t("end")}
      getId={({ hash_full }) => hash_full}
      row={(token) => <LoginRow token={token} remove={ownLogins.remove} />}
    >
      {others.length > 0 && (
        <ConfirmButton
          label={t("endOthers")}
          what={others.map((token) => `${toTokenName(token)} (${token.ip_address})`).join(", ")}
          text={t("endOthersHint")}
          run={toHandler(ownLogins.endOthers, { throws: true })}
          testId="end-others"
          isOwn
        />
      )}
    </RecordSection>
  );
}

/** The logins of other accounts, for administrators. */
export function OtherLogins() {
  const { t } = useTexts();
  const me = useCurrentUser().data?.username;
  const all = useQuery({
    queryKey: ["login_token", "all"],
    queryFn: () => readAllPages(loginTokens.list, ({ hash_full }) => hash_full),
    select: (all) => ({ items: all.filter(({ created_by }) => created_by !== me) }),
  });
  if (all.data?.items.length === 0) return null;
  return (
    <RecordSection
      title={t("others")}
      hint={t("othersHint")}
      form={null}
      query={all}
      columns={[t("account"), t("device"), t("address"), t("lastUsed"), t("expires")]}
      actions={t("end")}
      getId={({ hash_full }) => hash_full}
      row={(token) => <LoginRow token={token} account={token.created_by} remove={loginTokens.remove} />}
    />
  );
}

interface LoginRowProps {
  readonly token: LoginToken;
  readonly account?: string;
  readonly remove: (hash: string) => Promise<unknown>;
}

function LoginRow({ token, account, remove }: LoginRowProps) {
  const { t, language } = useTexts();
  const { toHandler } = useAction(QUERY_KEYS);
  const { hash_full, token_prefix, ip_address, last_used_at, expires_at, current } = token;
  return (
    <RecordRow
      testId="token-row"
      cells={[
        ...(account === undefined ? [] : [account]),
        <>
          {toTokenName(token)} <Code>{token_prefix}…</Code> {current && <Badge variant="light">{t("current")}</Badge>}
        </>,
        ip_address,
        formatTime(last_used_at, language) || t("never"),
        formatTime(expires_at, language),
      ]}
      actions={
        <ConfirmButton
          label={t("end")}
          what={[account, toTokenName(token), ip_address, `${token_prefix}…`].filter(Boolean).join(", ")}
          text={t(current ? "endCurrentHint" : "endHint")}
          run={toHandler(() => remove(hash_full), { throws: true })}
          isOwn
        />
      }
    />
  );
}

/** Returns the browser of a login; for other tokens the username. */
function toTokenName({ device, username }: LoginToken): string {
  return device ?? username;
}
