import { Button, Checkbox, Group, PasswordInput, Radio, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { getServiceTime } from "../../../shared/api/service-clock.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import { formatTime, Loaded } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { CheckboxField, NumberField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
import { useRecordForm } from "../../../shared/ui/form/use-record-form.ts";
import { Dialog } from "../../../shared/ui/page/page.tsx";
import { useTexts } from "../texts.ts";
import { DEFAULT_SHARE_OPTIONS, type Publication, publications, type ShareOptions, type SharePassword } from "./api.ts";
import { PublishedLink } from "./share-link.tsx";
import { SharePreviewPanel } from "./share-preview.tsx";

const DAY_MS = 86_400_000;
const MIN_PASSWORD_LENGTH = 4;
const QUERY_KEYS = [["share"], ["session"]] as const;
const OPTION_SWITCHES = [
  ["include_character", "shareCharacter"],
  ["include_user_messages", "shareUserMessages"],
  ["include_names", "shareNames"],
  ["include_files", "shareFiles"],
] as const;

interface ShareDialogProps {
  readonly sessionId: string;
  /** The message whose menu opened the dialog. */
  readonly upTo?: string;
  readonly close: () => void;
}

/** Publishes a conversation, shows its link, and unpublishes it. */
export function ShareDialog({ sessionId, upTo, close }: ShareDialogProps) {
  const { t } = useTexts();
  const status = useQuery({
    queryKey: ["share", sessionId],
    queryFn: async () => ({
      published: await publications.find(sessionId),
      position: upTo === undefined ? null : await publications.findPosition(sessionId, upTo),
    }),
    gcTime: 0,
  });
  return (
    <Dialog opened onClose={close} title={t("shareTitle")} size="lg">
      <Text size="sm" c="dimmed" mb="sm">
        {t("shareHint")}
      </Text>
      <Loaded query={status}>
        {({ published, position }) => <ShareForm sessionId={sessionId} published={published} position={position} />}
      </Loaded>
    </Dialog>
  );
}

interface ShareFormProps {
  readonly sessionId: string;
  readonly published: Publication | undefined;
  /** Position of the message the dialog was opened from. */
  readonly position: number | null;
}

function ShareForm({ sessionId, published, position }: ShareFormProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [initialUpdatedAt] = useState(published?.updated_at);
  const form = useRecordForm<Draft, PublishedItem>({
    queryKeys: QUERY_KEYS,
    record: published && toItem(published),
    toDraft(item) {
      const { message_start: _start, ...options } = { message_start: null, ...DEFAULT_SHARE_OPTIONS, ...item?.options };
      // The message the dialog was opened from is the default until a publication is saved.
      const isUnchanged = item?.updated_at === initialUpdatedAt;
      return { ...options, message_end: (isUnchanged ? position : null) ?? options.message_end, password: undefined };
    },
    isValid: ({ password }) => typeof password !== "string" || password.length >= MIN_PASSWORD_LENGTH,
    change: (_, draft) => publish(draft),
    async create(draft) {
      const item = await publish(draft);
      form.restart(item, draft);
      return item;
    },
  });
  const { props, draft, update, isValid, isBusy } = form;
  const { password, ...options } = draft;
  const publish = async ({ password: newPassword, ...options }: Draft) =>
    toItem(await publications.publish(sessionId, options, newPassword));
  const [messageEnd] = useState(position ?? published?.options.message_end ?? null);
  const unpublish = async () => {
    await publications.unpublish(sessionId);
    await Promise.all(QUERY_KEYS.map((queryKey) => refetch(queries, queryKey)));
  };
  return (
    <Form {...props}>
      <Stack gap="sm">
        {published && <PublishedLink sessionId={sessionId} published={published} unpublish={unpublish} />}
        {messageEnd !== null && <OptionsSection position={messageEnd} options={options} onChange={update} />}
        <Group gap="lg" style={{ rowGap: 8 }}>
          {OPTION_SWITCHES.map(([name, text]) => (
            <CheckboxField
              key={name}
              name={name}
              label={t(text)}
              value={options[name]}
              onChange={(isOn) => update({ [name]: isOn })}
            />
          ))}
        </Group>
        <Group align="flex-start" grow>
          <ExpirySection days={options.expires_days} onChange={(expires_days) => update({ expires_days })} />
          <PasswordSection
            hasStored={published?.password_required === true}
            password={password}
            isShort={!isValid}
            onChange={(written) => update({ password: written })}
          />
        </Group>
        <SharePreviewPanel sessionId={sessionId} options={options} />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} disabled={!isValid} data-testid="publish">
            {t(published ? "publishAgain" : "publish")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

interface Draft extends ShareOptions {
  readonly password: SharePassword;
}

interface PublishedItem extends Publication {
  readonly revision: number;
}

/** Adds a revision for the form, made of the time of the last change. */
function toItem(published: Publication): PublishedItem {
  return { ...published, revision: Date.parse(published.updated_at) };
}

interface OptionsSectionProps {
  readonly position: number;
  readonly options: ShareOptions;
  readonly onChange: (patch: Pick<ShareOptions, "message_end">) => void;
}

function OptionsSection({ position, options, onChange }: OptionsSectionProps) {
  const { t } = useTexts();
  return (
    <Radio.Group
      label={t("shareWhat")}
      value={options.message_end === null ? "whole" : "part"}
      onChange={(value) => onChange({ message_end: value === "whole" ? null : position })}
    >
      <Group gap="lg" mt={4}>
        <Radio value="part" label={t("shareUpTo", { position })} />
        <Radio value="whole" label={t("shareWhole")} />
      </Group>
    </Radio.Group>
  );
}

function ExpirySection({ days, onChange }: { readonly days: number; readonly onChange: (days: number) => void }) {
  const { t, language } = useTexts();
  const until = formatTime(new Date(getServiceTime() + days * DAY_MS).toISOString(), language);
  return (
    <NumberField
      name="expires_days"
      label={t("shareDays")}
      description={t("shareUntil", { time: until })}
      min={1}
      max={365}
      clampBehavior="strict"
      value={days}
      onChange={(value) => onChange(value || 1)}
    />
  );
}

interface PasswordSectionProps {
  readonly hasStored: boolean;
  readonly password: SharePassword;
  readonly isShort: boolean;
  readonly onChange: (password: SharePassword) => void;
}

function PasswordSection({ hasStored, password, isShort, onChange }: PasswordSectionProps) {
  const { t } = useTexts();
  return (
    <Stack gap={6}>
      <FormControl name="password">
        <PasswordInput
          label={t("sharePassword")}
          description={hasStored && password !== null ? t("sharePasswordKept") : t("sharePasswordShort")}
          value={password ?? ""}
          maxLength={128}
          autoComplete="new-password"
          disabled={password === null}
          error={isShort && t("sharePasswordShort")}
          onChange={({ currentTarget: { value } }) => onChange(value === "" ? undefined : value)}
        />
      </FormControl>
      {hasStored && (
        <Checkbox
          label={t("shareNoPassword")}
          checked={password === null}
          onChange={({ currentTarget: { checked } }) => onChange(checked ? null : undefined)}
        />
      )}
    </Stack>
  );
}
