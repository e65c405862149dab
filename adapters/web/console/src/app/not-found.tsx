import { Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../shared/i18n/i18n.ts";

/** Where no page is. */
export function NotFound() {
  const { t } = useTexts();
  return <Empty title={t("notFound")} />;
}

/** A page of the console that no running plugin brings. */
export function NotHere() {
  const { t } = useTexts();
  return <Empty title={t("notFound")} hint={t("notHere")} />;
}

function Empty({ title, hint }: { readonly title: string; readonly hint?: string }) {
  const { t } = useTexts();
  return (
    <div className="page">
      <Title order={1} size="h3" mb="xs">
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed" mb="xs">
          {hint}
        </Text>
      )}
      <Text size="sm">
        <Link to="/" className="inline-link">
          {t("toConversations")}
        </Link>
      </Text>
    </div>
  );
}
