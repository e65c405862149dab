import { Text } from "@mantine/core";
import type { NavigationArea } from "../shared/api/console.ts";
import { useResources } from "../shared/api/console.ts";
import { useLocalized } from "../shared/i18n/use-localized.ts";
import { Loaded } from "../shared/ui/common.tsx";
import { Page } from "../shared/ui/page/page.tsx";
import { ResourceList } from "./list/resource-list.tsx";
import { useTexts } from "./texts.ts";

interface ResourcePageProps {
  readonly area: NavigationArea;
  readonly kind: string;
  readonly record: string | undefined;
}

/** The generic page of a resource, built from its declaration alone. */
export function ResourcePage({ area, kind, record }: ResourcePageProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const resources = useResources();
  return (
    <Loaded query={resources}>
      {({ items }) => {
        const view = items.find((one) => one.kind === kind);
        if (view) return <ResourceList view={view} area={area} record={record} />;
        return (
          <Page title={localize(area.title)}>
            <Text>{t("unknownResource")}</Text>
          </Page>
        );
      }}
    </Loaded>
  );
}
