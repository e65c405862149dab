import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Channel, type ChannelDraft, channels, type Preset, TRANSPORTS } from "../../shared/api/channels.ts";
import { usePublicUrl } from "../../shared/api/use-public-url.ts";
import { useJsonError } from "../../shared/forms/use-json-error.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { parseJsonObject } from "../../shared/json-object.ts";
import { Loaded } from "../../shared/ui/common.tsx";
import { CancelButton } from "../../shared/ui/form/cancel-button.tsx";
import { SelectField, TextareaField, TextField } from "../../shared/ui/form/fields.tsx";
import { Form, FormErrors } from "../../shared/ui/form/form.tsx";
import { toUniqueId } from "../../shared/ui/form/unique-id.ts";
import { useRecordForm } from "../../shared/ui/form/use-record-form.ts";
import { type ChannelTypeOption, ChannelTypeSelect } from "./channel-type-select.tsx";
import { ChannelGuide } from "./setup/channel-guide.tsx";
import { type TextKey, useTexts } from "./texts.ts";
import { localizeTransport } from "./transport-names.ts";

const QUERY_KEYS = [["channel"]] as const;
const OTHER_TYPE = "";
const ID_PATTERN = "[A-Za-z0-9_\\-]+";
/** Descriptions of the built-in presets, by id, or by id and transport; presets of other packages bring their own. */
const PRESET_TEXTS: Readonly<Record<string, TextKey>> = {
  imB: "presetImB",
  "imB polling": "presetImBPolling",
  imC: "presetImC",
  imC_ws: "presetImCSocket",
  generic_webhook: "presetWebhook",
  widget: "presetWidget",
};

interface OtherType {
  readonly type: string;
  readonly transport: NonNullable<ChannelDraft["transport"]> | "";
  /** The typed JSON, valid or not. */
  readonly config: string;
}

interface Draft extends OtherType {
  /** Id of a preset, or `OTHER_TYPE`. */
  readonly kind: string;
  /** Undefined until typed: the kind of channel proposes one. */
  readonly id: string | undefined;
  readonly name: string | undefined;
}

const NEW_CHANNEL = { id: undefined, name: undefined, type: "", transport: "", config: "" } as const;

/** True when the settings are empty or a JSON object. */
function hasConfig({ config }: OtherType): boolean {
  return config.trim() === "" || parseJsonObject(config) !== undefined;
}

interface AddChannelProps {
  readonly usedIds: readonly string[];
  readonly onDone: (channel: Channel) => void;
}

/** The form for a new channel: a preset or another type. Its settings open next. */
export function AddChannel({ usedIds, onDone }: AddChannelProps) {
  const presets = useQuery({ queryKey: ["channel", "preset"], queryFn: channels.listPresets });
  return (
    <Loaded query={presets}>
      {({ items }) => <ChannelDraftForm presets={items} usedIds={usedIds} onDone={onDone} />}
    </Loaded>
  );
}

function ChannelDraftForm({ presets, usedIds, onDone }: AddChannelProps & { readonly presets: readonly Preset[] }) {
  const { t } = useTexts();
  const localize = useLocalized();
  const publicUrl = usePublicUrl();
  const toPresetTitle = ({ title, name: plain }: Preset) => (title ? localize(title) : plain);
  const describePreset = (one: Preset) => {
    const text = PRESET_TEXTS[`${one.id} ${one.transport}`] ?? PRESET_TEXTS[one.id];
    return text ? t(text) : one.description;
  };
  const findPreset = ({ kind }: Draft) => presets.find(({ id }) => id === kind);
  /** Returns the typed id and name, else those that the kind of channel proposes. */
  const toIdentity = (draft: Draft) => {
    const preset = findPreset(draft);
    const proposedId = preset?.channel.id ?? (draft.type.length > 1 ? draft.type : "channel");
    const proposedName = preset ? (preset.title ? toPresetTitle(preset) : preset.channel.name) : "";
    return { id: draft.id ?? toUniqueId(proposedId, usedIds), name: draft.name ?? proposedName };
  };
  const hasUniqueId = (draft: Draft) => {
    const { id } = toIdentity(draft);
    return !usedIds.some((one) => one.toLowerCase() === id.toLowerCase());
  };
  const { props, draft, update, isBusy } = useRecordForm<Draft, Channel>({
    queryKeys: QUERY_KEYS,
    toDraft: () => ({ ...NEW_CHANNEL, kind: presets.find(({ installed }) => installed)?.id ?? OTHER_TYPE }),
    isValid: (values) => hasUniqueId(values) && (findPreset(values) !== undefined || hasConfig(values)),
    async create(values) {
      const identity = toIdentity(values);
      const preset = findPreset(values);
      const created = preset
        ? await channels.createFromPreset(preset.id, {
            ...identity,
            description: "",
            enabled: false,
          })
        : await channels.create({ ...identity, ...toChannelDraft(values) });
      onDone(created);
      return created;
    },
  });
  const preset = findPreset(draft);
  const { id, name } = toIdentity(draft);
  const hasInput = [draft.id, draft.name, draft.type, draft.config].some(Boolean);
  // While the channel is being added, the list may already contain it.
  const isTaken = !isBusy && !hasUniqueId(draft);
  const kinds: readonly ChannelTypeOption[] = [
    ...presets.map((one) => ({
      value: one.id,
      type: one.channel.type,
      title: toPresetTitle(one),
      sentence: describePreset(one),
      isInstalled: one.installed,
    })),
    { value: OTHER_TYPE, type: OTHER_TYPE, title: t("otherType"), sentence: t("otherTypeHint"), isInstalled: true },
  ];
  return (
    <Form {...props} isChanged={hasInput}>
      <Stack gap="sm">
        <ChannelTypeSelect
          kinds={kinds}
          value={draft.kind}
          onSelect={(kind) => update({ kind, id: undefined, name: undefined })}
        />
        {!preset && <OtherTypeFields value={draft} onChange={update} />}
        <TextField
          name="name"
          label={t("name")}
          value={name}
          onChange={(text) => update({ name: text })}
          required
          maxLength={100}
          testId="channel-name"
        />
        <TextField
          name="id"
          label={t("channelId")}
          description={t("channelIdHint")}
          value={id}
          onChange={(text) => update({ id: text })}
          error={isTaken && t("idTaken")}
          required
          minLength={2}
          maxLength={64}
          pattern={ID_PATTERN}
          title={t("channelIdLetters")}
          testId="channel-id"
        />
        {preset && <ChannelGuide channel={{ ...preset.channel, id }} publicUrl={publicUrl} />}
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button
            type="submit"
            loading={isBusy}
            disabled={isTaken || (!preset && !hasConfig(draft))}
            data-testid="create-channel"
          >
            {t("add")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function OtherTypeFields({
  value,
  onChange,
}: {
  readonly value: OtherType;
  readonly onChange: (patch: Partial<OtherType>) => void;
}) {
  const { t } = useTexts();
  const findError = useJsonError();
  return (
    <>
      <TextField
        name="type"
        label={t("channelType")}
        description={t("channelTypeHint")}
        value={value.type}
        onChange={(type) => onChange({ type })}
        required
        maxLength={32}
        pattern={ID_PATTERN}
        title={t("channelIdLetters")}
        testId="channel-type"
      />
      <SelectField
        name="transport"
        label={t("transport")}
        value={value.transport}
        onChange={(transport) => onChange({ transport })}
        data={[
          { value: "", label: t("transportOfType") },
          ...TRANSPORTS.map((value) => ({ value, label: localizeTransport(value, t) })),
        ]}
        testId="channel-transport"
      />
      <TextareaField
        name="config"
        label={t("settings")}
        description={t("channelConfigHint")}
        value={value.config}
        onChange={(config) => onChange({ config })}
        placeholder={'{"key": "value"}'}
        error={findError(value.config)}
        spellCheck={false}
        testId="channel-config"
      />
    </>
  );
}

function toChannelDraft({ type, transport, config }: OtherType): Omit<ChannelDraft, "id" | "name"> {
  const settings = parseJsonObject(config);
  return {
    type,
    ...(transport !== "" && { transport }),
    ...(settings !== undefined && { config: settings }),
  };
}
