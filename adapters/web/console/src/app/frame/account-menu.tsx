import {
  Button,
  ColorSwatch,
  Popover,
  SegmentedControl,
  Stack,
  Text,
  UnstyledButton,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useId } from "react";
import { useTexts } from "../../shared/i18n/i18n.ts";
import textCss from "../../shared/styles/text.module.css";
import { ACCENT_NAMES, ACCENTS } from "../../shared/theme/accents.ts";
import { DENSITIES, FONT_SIZES, useAppearance } from "../../shared/theme/use-appearance.ts";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { Portrait } from "../../shared/ui/element/portrait.tsx";
import frameCss from "./frame.module.css";
import { LanguageSelect } from "./language-select.tsx";

type Scheme = "auto" | "light" | "dark";
const SCHEMES: readonly Scheme[] = ["auto", "light", "dark"];

interface AccountMenuProps {
  readonly username: string;
  readonly isNarrow: boolean;
  readonly showShortcuts: () => void;
  readonly signOut: () => Promise<void>;
}

/** The account menu: the username, the language and theme of this browser, keyboard help and sign-out. */
export function AccountMenu({ username, isNarrow, showShortcuts, signOut }: AccountMenuProps) {
  const { t } = useTexts();
  const [isOpen, menu] = useDisclosure(false);
  const openShortcuts = () => {
    menu.close();
    showShortcuts();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={(now) => (now ? menu.open() : menu.close())}
      position="top-start"
      width={264}
      shadow="lg"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          className={frameCss.account}
          onClick={menu.toggle}
          aria-label={`${t("account")}: ${username}`}
          title={username}
          data-testid="account"
        >
          <Portrait name={username} url="" kind="face" />
          {!isNarrow && <span className={textCss.oneLine}>{username}</span>}
          {!isNarrow && <Icon name="settings" size={16} />}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("account")}>
        <Preferences />
        <Button
          fullWidth
          mt="md"
          variant="subtle"
          color="gray"
          leftSection={<Icon name="book" size={16} />}
          onClick={openShortcuts}
          data-testid="show-keys"
        >
          {t("keys")}
        </Button>
        <Button
          fullWidth
          mt="xs"
          variant="default"
          leftSection={<Icon name="signOut" size={16} />}
          onClick={() => void signOut()}
        >
          {t("signOut")}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}

function Preferences() {
  const { t } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { density, setDensity, fontSize, setFontSize } = useAppearance();
  return (
    <Stack gap="sm">
      <LabeledSetting label={t("language")}>{() => <LanguageSelect />}</LabeledSetting>
      <LabeledSetting label={t("theme")}>
        {(id) => (
          <SegmentedControl
            fullWidth
            size="xs"
            aria-labelledby={id}
            value={colorScheme}
            onChange={setColorScheme}
            data={SCHEMES.map((value) => ({ value, label: t(value) }))}
          />
        )}
      </LabeledSetting>
      <LabeledSetting label={t("accent")}>{(id) => <AccentPicker labelledBy={id} />}</LabeledSetting>
      <LabeledSetting label={t("density")}>
        {(id) => (
          <SegmentedControl
            fullWidth
            size="xs"
            aria-labelledby={id}
            value={density}
            onChange={setDensity}
            data={DENSITIES.map((value) => ({ value, label: t(value) }))}
          />
        )}
      </LabeledSetting>
      <LabeledSetting label={t("fontSize")}>
        {(id) => (
          <SegmentedControl
            fullWidth
            size="xs"
            aria-labelledby={id}
            value={fontSize}
            onChange={setFontSize}
            data={FONT_SIZES.map((value) => ({ value, label: t(`fontSize_${value}`) }))}
          />
        )}
      </LabeledSetting>
    </Stack>
  );
}

interface LabeledSettingProps {
  readonly label: string;
  /** Renders the control; gets the id of the label. */
  readonly children: (id: string) => React.ReactNode;
}

function LabeledSetting({ label, children }: LabeledSettingProps) {
  const id = useId();
  return (
    <div>
      <Text id={id} size="xs" fw={600} c="dimmed" mb={4}>
        {label}
      </Text>
      {children(id)}
    </div>
  );
}

function AccentPicker({ labelledBy }: { readonly labelledBy: string }) {
  const { t } = useTexts();
  const { accent, setAccent } = useAppearance();
  return (
    <div className={frameCss.accents} role="radiogroup" aria-labelledby={labelledBy}>
      {ACCENT_NAMES.map((name) => (
        <ColorSwatch
          key={name}
          component="label"
          color={ACCENTS[name][7]}
          size={30}
          title={t(`accent_${name}`)}
          data-chosen={name === accent}
        >
          <input
            type="radio"
            name={labelledBy}
            className={textCss.visuallyHidden}
            aria-label={t(`accent_${name}`)}
            checked={name === accent}
            onChange={() => setAccent(name)}
          />
          {name === accent && <Icon name="check" size={16} />}
        </ColorSwatch>
      ))}
    </div>
  );
}
