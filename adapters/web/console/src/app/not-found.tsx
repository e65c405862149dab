import { Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../shared/i18n/i18n.ts";

export function NotFound() {
  const { t } = useTexts();
  return (
    <div className="page">
      <Title order={1} size="h3" mb="xs">
        {t("notFound")}
      </Title>
      <Text size="sm">
        <Link to="/" className="inline-link">
          {t("conversations")}
        </Link>
      </Text>
    </div>
  );
}
