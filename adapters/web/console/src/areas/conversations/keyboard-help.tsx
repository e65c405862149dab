import { Kbd, Table } from "@mantine/core";
import { useDisclosure, useHotkeys } from "@mantine/hooks";
import { Dialog } from "../../shared/ui/page.tsx";
import { type TextKey, useTexts } from "./texts.ts";

const KEYS: readonly (readonly [text: TextKey, keys: readonly string[]])[] = [
  ["keySend", ["Enter", "Shift+Enter"]],
  ["keyCommands", ["/"]],
  ["keyList", ["/"]],
  ["keyMove", ["↑", "↓"]],
  ["keyWithin", ["Ctrl+F"]],
  ["keyFind", ["Ctrl+K"]],
  ["keyEdit", ["Ctrl+Enter", "Esc"]],
  ["keyHelp", ["?"]],
];

/** What the keys do, when somebody asks with `?`. */
export function KeyboardHelp() {
  const { t } = useTexts();
  const [isOpen, dialog] = useDisclosure(false);
  useHotkeys([["shift+?", dialog.open]]);
  return (
    <Dialog opened={isOpen} onClose={dialog.close} title={t("keys")}>
      <Table data-testid="keyboard-help">
        <Table.Tbody>
          {KEYS.map(([text, keys]) => (
            <Table.Tr key={text}>
              <Table.Td>{t(text)}</Table.Td>
              <Table.Td>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}
