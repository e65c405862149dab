import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Channel, type ChannelDraft, channels, type Preset, TRANSPORTS } from "../../shared/api/channels.ts";
import { jsonOf } from "../../shared/forms/json-text.ts";
import { Loaded, useTried } from "../../shared/ui/common.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { freeId } from "../../shared/ui/free-id.ts";
import { type Kind, KindChoice } from "./kind-choice.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";

const CHANGED = [["channel"]] as const;
const OTHER = "";
/** Presets of the service itself, in the reader's language; those of packages speak for themselves. */
const PRESET_TEXTS: Readonly<Record<string, TextKey>> = {
  imB: "presetImB",
  imC: "presetImC",
  imC_ws: "presetImCSocket",
  generic_webhook: "presetWebhook",
};

interface AddChannelProps {
  readonly taken: readonly string[];
  readonly done: (channel: Channel) => void;
}

/** A preset, or any other type by its name; the new channel's settings come next. */
export function AddChannel({ taken, done }: AddChannelProps) {
  const presets = useQuery({ queryKey: ["channel", "preset"], queryFn: channels.presets });
  return <Loaded query={presets}>{({ items }) => <Draft presets={items} taken={taken} done={done} />}</Loaded>;
}

function Draft({ presets, taken, done }: AddChannelProps & { readonly presets: readonly Preset[] }) {
  const { t, language } = useTexts();
  const called = ({ title, name: plain }: Preset) => (title ? title[language === "zh-CN" ? "zh" : "en"] : plain);
  const [kind, setKind] = useState(presets.find(({ installed }) => installed)?.id ?? OTHER);
  const [given, setGiven] = useState<{ readonly id?: string; readonly name?: string }>({});
  const [other, setOther] = useState<Other>({ type: "", transport: "", config: "" });
  const { tried, isBusy, error } = useTried(CHANGED);
  const preset = presets.find(({ id }) => id === kind);
  const {
    id = freeId(preset?.channel.id ?? (other.type.length > 1 ? other.type : "channel"), taken),
    name = preset ? (preset.title ? called(preset) : preset.channel.name) : "",
  } = given;
  const isWritten = Object.values(given).some(Boolean) || other.type !== "" || other.config !== "";
  const isTaken = taken.some((one) => one.toLowerCase() === id.toLowerCase());
  const config = jsonOf(other.config);
  const create = tried(async () =>
    done(
      preset
        ? await channels.fromPreset(preset.id, { id, name, description: describe(preset), enabled: false })
        : await channels.create({ id, name, ...draftOf(other) }),
    ),
  );
  const describe = (one: Preset) => {
    const text = PRESET_TEXTS[one.id];
    return text ? t(text) : one.description;
  };
  const kinds: readonly Kind[] = [
    ...presets.map((one) => ({
      value: one.id,
      type: one.channel.type,
      title: called(one),
      sentence: describe(one),
      isInstalled: one.installed,
    })),
    { value: OTHER, type: OTHER, title: t("otherType"), sentence: t("otherTypeHint"), isInstalled: true },
  ];
  return (
    <Form isChanged={isWritten && !isBusy} error={error} submit={create}>
      <Stack gap="sm">
        <KindChoice
          kinds={kinds}
          value={kind}
          choose={(value) => {
            setKind(value);
            setGiven({});
          }}
        />
        {!preset && <OtherFields value={other} put={(patch) => setOther({ ...other, ...patch })} />}
        <At name="name">
          <TextInput
            label={t("name")}
            value={name}
            onChange={({ currentTarget }) => setGiven({ ...given, name: currentTarget.value })}
            required
            maxLength={100}
            data-testid="channel-name"
          />
        </At>
        <At name="id">
          <TextInput
            label={t("channelId")}
            description={t("channelIdHint")}
            value={id}
            onChange={({ currentTarget }) => setGiven({ ...given, id: currentTarget.value })}
            error={isTaken && t("idTaken")}
            required
            minLength={2}
            maxLength={64}
            pattern="[A-Za-z0-9_\-]+"
            title={t("channelIdLetters")}
            data-testid="channel-id"
          />
        </At>
        <FormFailure />
        <Group justify="flex-end">
          <Button
            type="submit"
            loading={isBusy}
            disabled={isTaken || (!preset && config === undefined)}
            data-testid="create-channel"
          >
            {t("add")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

interface Other {
  readonly type: string;
  readonly transport: NonNullable<ChannelDraft["transport"]> | "";
  /** JSON as it is written. */
  readonly config: string;
}

function OtherFields({ value, put }: { readonly value: Other; readonly put: (patch: Partial<Other>) => void }) {
  const { t } = useTexts();
  return (
    <>
      <At name="type">
        <TextInput
          label={t("channelType")}
          description={t("channelTypeHint")}
          value={value.type}
          onChange={({ currentTarget }) => put({ type: currentTarget.value })}
          required
          maxLength={32}
          pattern="[A-Za-z0-9_\-]+"
          title={t("channelIdLetters")}
          data-testid="channel-type"
        />
      </At>
      <At name="transport">
        <NativeSelect
          label={t("transport")}
          value={value.transport}
          onChange={({ currentTarget }) => put({ transport: currentTarget.value as Other["transport"] })}
          data={[{ value: "", label: t("transportOfType") }, ...TRANSPORTS]}
          data-testid="channel-transport"
        />
      </At>
      <At name="config">
        <Textarea
          label={t("settings")}
          description={t("channelConfigHint")}
          value={value.config}
          onChange={({ currentTarget }) => put({ config: currentTarget.value })}
          placeholder={'{"key": "value"}'}
          error={jsonOf(value.config) === undefined && t("notJson")}
          autosize
          minRows={2}
          maxRows={12}
          spellCheck={false}
          data-testid="channel-config"
        />
      </At>
    </>
  );
}

function draftOf({ type, transport, config }: Other): Omit<ChannelDraft, "id" | "name"> {
  const settings = jsonOf(config)?.value;
  return {
    type,
    ...(transport !== "" && { transport }),
    ...(settings !== undefined && { config: settings as NonNullable<ChannelDraft["config"]> }),
  };
}
