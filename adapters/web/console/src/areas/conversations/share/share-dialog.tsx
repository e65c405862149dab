import { Button, Checkbox, Group, PasswordInput, Radio, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { serviceNow } from "../../../shared/api/service-clock.ts";
import { isDeepEqual } from "../../../shared/is-deep-equal.ts";
import { refetch } from "../../../shared/live/refetch.ts";
import { formatTime, Loaded, useAction } from "../../../shared/ui/common.tsx";
import { CancelButton } from "../../../shared/ui/form/cancel-button.tsx";
import { CheckboxField, NumberField } from "../../../shared/ui/form/fields.tsx";
import { Form, FormControl, FormErrors } from "../../../shared/ui/form/form.tsx";
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
  const before = published?.options;
  const messageEnd = place ?? before?.message_end ?? null;
  const [savedOptions, setSavedOptions] = useState<ShareOptions>({
    ...DEFAULT_SHARE_OPTIONS,
    ...toShareOptions(before),
    message_end: messageEnd,
  });
  const [choice, setChoice] = useState(savedOptions);
  const [password, setPassword] = useState<SharePassword>(undefined);
  const { toHandler, isBusy, error } = useAction(QUERY_KEYS);
  const isShort = typeof password === "string" && password.length < MIN_PASSWORD_LENGTH;
  const publish = toHandler(async () => {
    await publications.publish(sessionId, choice, password);
    setPassword(undefined);
    setSavedOptions(choice);
  });
  const unpublish = async () => {
    await publications.unpublish(sessionId);
    await Promise.all(QUERY_KEYS.map((queryKey) => refetch(queries, queryKey)));
  };
  return (
    <Form error={error} onSubmit={publish} isChanged={!(isDeepEqual(choice, savedOptions) && password === undefined)}>
      <Stack gap="sm">
        {published && <PublishedLink sessionId={sessionId} published={published} unpublish={unpublish} />}
        {messageEnd !== null && <OptionsSection place={messageEnd} choice={choice} change={setChoice} />}
        <Group gap="lg" style={{ rowGap: 8 }}>
          {OPTION_SWITCHES.map(([name, text]) => (
            <CheckboxField
              key={name}
              name={name}
              label={t(text)}
              value={choice[name]}
              onChange={(isOn) => setChoice({ ...choice, [name]: isOn })}
            />
          ))}
        </Group>
        <Group align="flex-start" grow>
          <ExpirySection days={choice.expires_days} change={(expires_days) => setChoice({ ...choice, expires_days })} />
          <PasswordSection
            hasStored={published?.password_required === true}
            password={password}
            isShort={isShort}
            change={setPassword}
          />
        </Group>
        <SharePreviewPanel sessionId={sessionId} choice={choice} />
        <FormErrors />
        <Group justify="flex-end">
          <CancelButton />
          <Button type="submit" loading={isBusy} disabled={isShort} data-testid="publish">
            {t(published ? "publishAgain" : "publish")}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}

function toShareOptions(options: Publication["options"] | undefined): Partial<ShareOptions> {
  if (!options) return {};
  const { message_start: _start, ...rest } = options;
  return rest;
}

interface OptionsSectionProps {
  readonly place: number;
  readonly choice: ShareOptions;
  readonly change: (choice: ShareOptions) => void;
}

function OptionsSection({ place, choice, change }: OptionsSectionProps) {
  const { t } = useTexts();
  return (
    <Radio.Group
      label={t("shareWhat")}
      value={choice.message_end === null ? "whole" : "part"}
      onChange={(value) => change({ ...choice, message_end: value === "whole" ? null : place })}
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
