import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Channel, type ChannelDraft, channels, type Preset, TRANSPORTS } from "../../shared/api/channels.ts";
import { useJsonFault } from "../../shared/forms/json-fault.ts";
import { jsonOf } from "../../shared/forms/json-text.ts";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { Loaded, useTried } from "../../shared/ui/common.tsx";
import { ChoiceField, LongField, TextField } from "../../shared/ui/fields.tsx";
import { Form, FormFailure } from "../../shared/ui/form.tsx";
import { freeId } from "../../shared/ui/free-id.ts";
import { type Kind, KindChoice } from "./kind-choice.tsx";
import type { TextKey } from "./texts.ts";
import { useTexts } from "./texts.ts";
import { transportName } from "./transport-names.ts";

const CHANGED = [["channel"]] as const;
const OTHER = "";
const LETTERS = "[A-Za-z0-9_\\-]+";
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
  // While it is being added the list may tell of it already.
  const isTaken = !isBusy && taken.some((one) => one.toLowerCase() === id.toLowerCase());
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
    <Form isChanged={isWritten} error={error} submit={create}>
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
        <TextField
          name="name"
          label={t("name")}
          value={name}
          put={(text) => setGiven({ ...given, name: text })}
          required
          maxLength={100}
          testId="channel-name"
        />
        <TextField
          name="id"
          label={t("channelId")}
          description={t("channelIdHint")}
          value={id}
          put={(text) => setGiven({ ...given, id: text })}
          error={isTaken && t("idTaken")}
          required
          minLength={2}
          maxLength={64}
          pattern={LETTERS}
          title={t("channelIdLetters")}
          testId="channel-id"
        />
        <FormFailure />
        <Group justify="flex-end">
          <CancelButton />
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
  const fault = useJsonFault();
  return (
    <>
      <TextField
        name="type"
        label={t("channelType")}
        description={t("channelTypeHint")}
        value={value.type}
        put={(type) => put({ type })}
        required
        maxLength={32}
        pattern={LETTERS}
        title={t("channelIdLetters")}
        testId="channel-type"
      />
      <ChoiceField
        name="transport"
        label={t("transport")}
        value={value.transport}
        put={(transport) => put({ transport })}
        data={[
          { value: "", label: t("transportOfType") },
          ...TRANSPORTS.map((value) => ({ value, label: transportName(value, t) })),
        ]}
        testId="channel-transport"
      />
      <LongField
        name="config"
        label={t("settings")}
        description={t("channelConfigHint")}
        value={value.config}
        put={(config) => put({ config })}
        placeholder={'{"key": "value"}'}
        error={fault(value.config)}
        spellCheck={false}
        testId="channel-config"
      />
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
