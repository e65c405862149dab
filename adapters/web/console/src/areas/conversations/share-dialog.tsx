import { Button, Checkbox, Group, PasswordInput, Radio, Stack, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isSame } from "../../resource/fields.ts";
import { serviceNow } from "../../shared/api/service-clock.ts";
import { readAgain } from "../../shared/live/read-again.ts";
import { CancelButton } from "../../shared/ui/cancel-button.tsx";
import { Loaded, timeOf, useTried } from "../../shared/ui/common.tsx";
import { CheckField, NumberField } from "../../shared/ui/fields.tsx";
import { At, Form, FormFailure } from "../../shared/ui/form.tsx";
import { Dialog } from "../../shared/ui/page.tsx";
import { type Publication, type ShareChoice, type SharePassword, sharing, WHOLE } from "./share.ts";
import { PublishedLink } from "./share-link.tsx";
import { PreviewOfShare } from "./share-preview.tsx";
import { useTexts } from "./texts.ts";

const DAY_MS = 86_400_000;
const SHORTEST = 4;
const CHANGED = [["share"], ["session"]] as const;
const SWITCHES = [
  ["include_character", "shareCharacter"],
  ["include_user_messages", "shareUserMessages"],
  ["include_names", "shareNames"],
  ["include_files", "shareFiles"],
] as const;

interface ShareDialogProps {
  readonly sessionId: string;
  /** The message from whose menu it was opened. */
  readonly upTo?: string;
  readonly close: () => void;
}

/** Publishes a conversation, shows its link, and takes it back. */
export function ShareDialog({ sessionId, upTo, close }: ShareDialogProps) {
  const { t } = useTexts();
  const status = useQuery({
    queryKey: ["share", sessionId],
    queryFn: async () => ({
      published: await sharing.status(sessionId),
      place: upTo === undefined ? null : await sharing.placeOf(sessionId, upTo),
    }),
    gcTime: 0,
  });
  return (
    <Dialog opened onClose={close} title={t("shareTitle")} size="lg">
      <Text size="sm" c="dimmed" mb="sm">
        {t("shareHint")}
      </Text>
      <Loaded query={status}>
        {({ published, place }) => <Share sessionId={sessionId} published={published} place={place} />}
      </Loaded>
    </Dialog>
  );
}

interface ShareProps {
  readonly sessionId: string;
  readonly published: Publication | undefined;
  /** Of the message it was opened from. */
  readonly place: number | null;
}

function Share({ sessionId, published, place }: ShareProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const before = published?.options;
  const known = place ?? before?.message_end ?? null;
  const [begun, setBegun] = useState<ShareChoice>({ ...WHOLE, ...optionsOf(before), message_end: known });
  const [choice, setChoice] = useState(begun);
  const [password, setPassword] = useState<SharePassword>(undefined);
  const { tried, isBusy, error } = useTried(CHANGED);
  const isShort = typeof password === "string" && password.length < SHORTEST;
  const publish = tried(async () => {
    await sharing.publish(sessionId, choice, password);
    setPassword(undefined);
    setBegun(choice);
  });
  const unpublish = async () => {
    await sharing.unpublish(sessionId);
    await Promise.all(CHANGED.map((queryKey) => readAgain(queries, queryKey)));
  };
  return (
    <Form error={error} submit={publish} isChanged={!(isSame(choice, begun) && password === undefined)}>
      <Stack gap="sm">
        {published && <PublishedLink sessionId={sessionId} published={published} unpublish={unpublish} />}
        {known !== null && <Part place={known} choice={choice} change={setChoice} />}
        <Group gap="lg" style={{ rowGap: 8 }}>
          {SWITCHES.map(([name, text]) => (
            <CheckField
              key={name}
              name={name}
              label={t(text)}
              value={choice[name]}
              put={(isOn) => setChoice({ ...choice, [name]: isOn })}
            />
          ))}
        </Group>
        <Group align="flex-start" grow>
          <Days days={choice.expires_days} change={(expires_days) => setChoice({ ...choice, expires_days })} />
          <Password
            isKept={published?.password_required === true}
            password={password}
            isShort={isShort}
            change={setPassword}
          />
        </Group>
        <PreviewOfShare sessionId={sessionId} choice={choice} />
        <FormFailure />
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

function optionsOf(options: Publication["options"] | undefined): Partial<ShareChoice> {
  if (!options) return {};
  const { message_start: _start, ...rest } = options;
  return rest;
}

interface PartProps {
  readonly place: number;
  readonly choice: ShareChoice;
  readonly change: (choice: ShareChoice) => void;
}

function Part({ place, choice, change }: PartProps) {
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

function Days({ days, change }: { readonly days: number; readonly change: (days: number) => void }) {
  const { t, language } = useTexts();
  const until = timeOf(new Date(serviceNow() + days * DAY_MS).toISOString(), language);
  return (
    <NumberField
      name="expires_days"
      label={t("shareDays")}
      description={t("shareUntil", { time: until })}
      min={1}
      max={365}
      clampBehavior="strict"
      value={days}
      put={(value) => change(value || 1)}
    />
  );
}

interface PasswordProps {
  readonly isKept: boolean;
  readonly password: SharePassword;
  readonly isShort: boolean;
  readonly change: (password: SharePassword) => void;
}

function Password({ isKept, password, isShort, change }: PasswordProps) {
  const { t } = useTexts();
  return (
    <Stack gap={6}>
      <At name="password">
        <PasswordInput
          label={t("sharePassword")}
          description={isKept && password !== null ? t("sharePasswordKept") : t("sharePasswordShort")}
          value={password ?? ""}
          maxLength={128}
          autoComplete="new-password"
          disabled={password === null}
          error={isShort && t("sharePasswordShort")}
          onChange={({ currentTarget: { value } }) => change(value === "" ? undefined : value)}
        />
      </At>
      {isKept && (
        <Checkbox
          label={t("shareNoPassword")}
          checked={password === null}
          onChange={({ currentTarget: { checked } }) => change(checked ? null : undefined)}
        />
      )}
    </Stack>
  );
}
