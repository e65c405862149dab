import { Button, Checkbox, Group, PasswordInput, Radio, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { serviceNow } from "../../../shared/api/service-clock.ts";
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
      published: await publications.status(sessionId),
      place: upTo === undefined ? null : await publications.placeOf(sessionId, upTo),
    }),
    gcTime: 0,
  });
  return (
    <Dialog opened onClose={close} title={t("shareTitle")} size="lg">
      <Text size="sm" c="dimmed" mb="sm">
        {t("shareHint")}
      </Text>
      <Loaded query={status}>
        {({ published, place }) => <ShareForm sessionId={sessionId} published={published} place={place} />}
      </Loaded>
    </Dialog>
  );
}

interface ShareFormProps {
  readonly sessionId: string;
  readonly published: Publication | undefined;
  /** Position of the message the dialog was opened from. */
  readonly place: number | null;
}

function ShareForm({ sessionId, published, place }: ShareFormProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const [first] = useState(published?.updated_at);
  const form = useRecordForm<Draft, PublishedItem>({
    queryKeys: QUERY_KEYS,
    record: published && toItem(published),
    toDraft(item) {
      const { message_start: _start, ...options } = { message_start: null, ...DEFAULT_SHARE_OPTIONS, ...item?.options };
      // The message that the dialog was opened from counts until something is published.
      const isFirst = item?.updated_at === first;
      return { ...options, message_end: (isFirst ? place : null) ?? options.message_end, password: undefined };
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
  const { password, ...choice } = draft;
  const publish = async ({ password: secret, ...options }: Draft) =>
    toItem(await publications.publish(sessionId, options, secret));
  const [messageEnd] = useState(place ?? published?.options.message_end ?? null);
  const unpublish = async () => {
    await publications.unpublish(sessionId);
    await Promise.all(QUERY_KEYS.map((queryKey) => refetch(queries, queryKey)));
  };
  return (
    <Form {...props}>
      <Stack gap="sm">
        {published && <PublishedLink sessionId={sessionId} published={published} unpublish={unpublish} />}
        {messageEnd !== null && <OptionsSection place={messageEnd} choice={choice} change={update} />}
        <Group gap="lg" style={{ rowGap: 8 }}>
          {OPTION_SWITCHES.map(([name, text]) => (
            <CheckboxField
              key={name}
              name={name}
              label={t(text)}
              value={choice[name]}
              onChange={(isOn) => update({ [name]: isOn })}
            />
          ))}
        </Group>
        <Group align="flex-start" grow>
          <ExpirySection days={choice.expires_days} change={(expires_days) => update({ expires_days })} />
          <PasswordSection
            hasStored={published?.password_required === true}
            password={password}
            isShort={!isValid}
            change={(written) => update({ password: written })}
          />
        </Group>
        <SharePreviewPanel sessionId={sessionId} choice={choice} />
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

/** A publication has no revision; the newest one is the one that was changed last. */
function toItem(published: Publication): PublishedItem {
  return { ...published, revision: Date.parse(published.updated_at) };
}

interface OptionsSectionProps {
  readonly place: number;
  readonly choice: ShareOptions;
  readonly change: (patch: Pick<ShareOptions, "message_end">) => void;
}

function OptionsSection({ place, choice, change }: OptionsSectionProps) {
  const { t } = useTexts();
  return (
    <Radio.Group
      label={t("shareWhat")}
      value={choice.message_end === null ? "whole" : "part"}
      onChange={(value) => change({ message_end: value === "whole" ? null : place })}
    >
      <Group gap="lg" mt={4}>
        <Radio value="part" label={t("shareUpTo", { place })} />
        <Radio value="whole" label={t("shareWhole")} />
      </Group>
    </Radio.Group>
  );
}

function ExpirySection({ days, change }: { readonly days: number; readonly change: (days: number) => void }) {
  const { t, language } = useTexts();
  const until = formatTime(new Date(serviceNow() + days * DAY_MS).toISOString(), language);
  return (
    <NumberField
      name="expires_days"
      label={t("shareDays")}
      description={t("shareUntil", { time: until })}
      min={1}
      max={365}
      clampBehavior="strict"
      value={days}
      onChange={(value) => change(value || 1)}
    />
  );
}

interface PasswordSectionProps {
  readonly hasStored: boolean;
  readonly password: SharePassword;
  readonly isShort: boolean;
  readonly change: (password: SharePassword) => void;
}

function PasswordSection({ hasStored, password, isShort, change }: PasswordSectionProps) {
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
          onChange={({ currentTarget: { value } }) => change(value === "" ? undefined : value)}
        />
      </FormControl>
      {hasStored && (
        <Checkbox
          label={t("shareNoPassword")}
          checked={password === null}
          onChange={({ currentTarget: { checked } }) => change(checked ? null : undefined)}
        />
      )}
    </Stack>
  );
}
