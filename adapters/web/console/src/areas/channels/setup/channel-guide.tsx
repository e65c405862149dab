import { Anchor, Code, CopyButton, Fieldset, Group, List } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Channel, type ChannelType, channels } from "../../../shared/api/channels.ts";
import { useLocalized } from "../../../shared/i18n/use-localized.ts";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { useTexts } from "../texts.ts";

type GuideStep = ChannelType["guide"][number];

/** Type of the adapter that serves channels of every type without an adapter. */
const FALLBACK_TYPE = "generic";

interface ChannelGuideProps {
  readonly channel: Pick<Channel, "id" | "type" | "transport">;
  /** The webhook address that the platform sends to; undefined before the channel is added. */
  readonly address?: string | undefined;
  /** Public address of the service. */
  readonly publicUrl: string;
}

/** Returns the installed channel types; undefined while they are loading. */
export function useChannelTypes() {
  return useQuery({ queryKey: ["channel", "type"], queryFn: channels.listTypes });
}

/** Step-by-step instructions for connecting this platform, as its adapter has them. */
export function ChannelGuide({ channel: { id, type, transport }, address, publicUrl }: ChannelGuideProps) {
  const { t } = useTexts();
  const { data } = useChannelTypes();
  const find = (name: string) => data?.items.find((one) => one.type === name);
  const { guide = [] } = find(type) ?? find(FALLBACK_TYPE) ?? {};
  const steps = guide.filter(({ transports }) => transports?.includes(transport) ?? true);
  if (steps.length === 0) return null;
  const values = { channel_id: id, public_url: publicUrl, webhook_url: address };
  return (
    <Fieldset legend={t("guide")} data-testid="channel-guide">
      <List type="ordered" size="sm" spacing={4} style={{ overflowWrap: "anywhere" }}>
        {steps.map((step) => (
          <Step key={step.text.en} step={step} values={values} />
        ))}
      </List>
    </Fieldset>
  );
}

type CopyValues = Readonly<Record<string, string | undefined>>;

function Step({ step: { text, link, copy }, values }: { readonly step: GuideStep; readonly values: CopyValues }) {
  const { t } = useTexts();
  const localize = useLocalized();
  const value = copy === undefined ? undefined : fillCopy(copy, values);
  return (
    <List.Item>
      {localize(text)}
      {link !== undefined && (
        <>
          {" "}
          <Anchor href={link} target="_blank" rel="noreferrer noopener" size="sm" data-testid="guide-link">
            {t("openPlatform")}
          </Anchor>
        </>
      )}
      {value !== undefined && <CopyValue value={value} />}
    </List.Item>
  );
}

function CopyValue({ value }: { readonly value: string }) {
  const { t } = useTexts();
  const isBlock = value.includes("\n");
  return (
    <Group gap="xs" my={4} wrap="nowrap" align={isBlock ? "start" : "center"} data-testid="guide-copy">
      <Code block={isBlock} mah={160} style={{ overflow: "auto", overflowWrap: "anywhere" }}>
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <IconButton icon={copied ? "check" : "copy"} label={t(copied ? "copied" : "copy")} onClick={copy} />
        )}
      </CopyButton>
    </Group>
  );
}

/** Puts the values of a channel into a text to copy; undefined while one of them is unknown. */
function fillCopy(copy: string, values: CopyValues): string | undefined {
  const names = [...copy.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  if (names.some((name) => name in values && values[name] === undefined)) return undefined;
  return copy.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
