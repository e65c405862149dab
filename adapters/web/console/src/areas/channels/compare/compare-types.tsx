import { Table, Text } from "@mantine/core";
import type { ChannelType } from "../../../shared/api/channels.ts";
import { useLocalized } from "../../../shared/i18n/use-localized.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { PlatformMark } from "../../../shared/ui/element/tile.tsx";
import { useChannelTypes } from "../setup/channel-guide.tsx";
import { useTexts } from "../texts.ts";
import compareTypesCss from "./compare-types.module.css";

/** A row of the comparison: what a type can do, or undefined where its adapter does not say. */
interface ComparedFeature {
  readonly id: string;
  readonly title: string;
  isSupported(type: ChannelType): boolean | undefined;
}

/** The installed channel types side by side, with what each can do. */
export function CompareTypes() {
  const { t } = useTexts();
  const types = useChannelTypes();
  return (
    <Loaded query={types}>
      {({ items }) => (
        <>
          <Text size="sm" c="dimmed" mb="sm">
            {t("compareHint")}
          </Text>
          <Comparison types={items} />
        </>
      )}
    </Loaded>
  );
}

function Comparison({ types }: { readonly types: readonly ChannelType[] }) {
  const { t } = useTexts();
  const localized = useLocalized();
  const known = types.find(({ features }) => features !== null)?.features ?? [];
  const rows: readonly ComparedFeature[] = [
    {
      id: "private",
      title: t("worksWithoutAddress"),
      isSupported: ({ transports }) => transports.some((transport) => transport !== "webhook"),
    },
    ...known.map(({ feature, title }) => ({
      id: feature,
      title: localized(title),
      isSupported: ({ features }: ChannelType) => features?.find((one) => one.feature === feature)?.supported,
    })),
    { id: "begin", title: t("writesFirst"), isSupported: ({ can_begin }) => can_begin },
    { id: "repeat", title: t("repeatsSafely"), isSupported: ({ idempotency }) => idempotency !== "none" },
    { id: "check", title: t("checksCredentials"), isSupported: ({ can_check }) => can_check },
  ];
  return (
    <Table.ScrollContainer minWidth={0}>
      <Table className={compareTypesCss.table} data-testid="channel-types">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t("feature")}</Table.Th>
            {types.map(({ type, title }) => (
              <Table.Th key={type} scope="col">
                <PlatformMark type={type} size="sm" />
                {title ? localized(title) : type}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, title, isSupported }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row">{title}</Table.Th>
              {types.map((type) => (
                <Table.Td key={type.type}>
                  <Support isSupported={isSupported(type)} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Support({ isSupported }: { readonly isSupported: boolean | undefined }) {
  const { t } = useTexts();
  const label = isSupported === undefined ? t("notKnown") : isSupported ? t("supported") : t("notSupported");
  return (
    <span role="img" aria-label={label} title={label} data-supported={isSupported}>
      {isSupported ? <Icon name="check" size={16} /> : isSupported === undefined ? "?" : "–"}
    </span>
  );
}
