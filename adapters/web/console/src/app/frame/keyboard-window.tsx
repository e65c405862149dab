import { Kbd, Table } from "@mantine/core";
import { createTexts, type KeyOf } from "../../shared/i18n/i18n.ts";
import { isApple } from "../../shared/is-apple.ts";
import { Dialog } from "../../shared/ui/page/page.tsx";

const useTexts = createTexts("keyboard", {
  title: ["Keyboard shortcuts", "键盘快捷键"],
  inMessage: ["While typing a message", "输入消息时"],
  inList: ["Conversations", "会话"],
  everywhere: ["Everywhere", "任意页面"],
  send: ["Send", "发送"],
  newLine: ["New line", "换行"],
  commands: ["Commands, prompts and skills, in an empty message", "在空消息中打开命令、提示词和技能"],
  saveEdit: ["Save an edited message", "保存编辑的消息"],
  leaveEdit: ["Cancel the edit", "放弃编辑"],
  searchList: ["Search conversations", "搜索会话"],
  move: ["Move through the list", "在列表中移动"],
  searchWithin: ["Search in the open conversation", "在打开的会话中搜索"],
  find: ["Find pages, conversations and actions", "查找页面、会话和操作"],
  help: ["This help, when not typing", "本帮助（未在输入时）"],
  helpAlways: ["This help, also while typing", "本帮助（输入时也可用）"],
});

type TextKey = KeyOf<typeof useTexts>;
type ShortcutLines = readonly (readonly [text: TextKey, keys: readonly string[]])[];

const GROUPS: readonly (readonly [title: TextKey, lines: ShortcutLines])[] = [
  [
    "inMessage",
    [
      ["send", ["Enter"]],
      ["newLine", ["Shift+Enter"]],
      ["commands", ["/"]],
      ["saveEdit", ["Mod+Enter"]],
      ["leaveEdit", ["Esc"]],
    ],
  ],
  [
    "inList",
    [
      ["searchList", ["/"]],
      ["move", ["↑", "↓"]],
      ["searchWithin", ["Mod+F"]],
    ],
  ],
  [
    "everywhere",
    [
      ["find", ["Mod+K"]],
      ["help", ["?"]],
      ["helpAlways", ["Mod+/"]],
    ],
  ],
];

interface KeyboardWindowProps {
  readonly isOpen: boolean;
  readonly close: () => void;
}

export function KeyboardWindow({ isOpen, close }: KeyboardWindowProps) {
  const { t } = useTexts();
  return (
    <Dialog opened={isOpen} onClose={close} title={t("title")}>
      <Table data-testid="keyboard-help">
        {GROUPS.map(([title, lines]) => (
          <Table.Tbody key={title}>
            <Table.Tr>
              <Table.Th colSpan={2} scope="rowgroup">
                {t(title)}
              </Table.Th>
            </Table.Tr>
            {lines.map(([text, keys]) => (
              <Table.Tr key={text}>
                <Table.Td>{t(text)}</Table.Td>
                <Table.Td>
                  {keys.map((key) => (
                    <Kbd key={key} mr={4}>
                      {key.replace("Mod", isApple() ? "⌘" : "Ctrl")}
                    </Kbd>
                  ))}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        ))}
      </Table>
    </Dialog>
  );
}
