import { Anchor, Breadcrumbs, Button, Group, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Failure, Loaded, toldOf, useTried } from "../ui/common.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import { Empty } from "../ui/empty.tsx";
import { FileButton } from "../ui/file-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Changes } from "../ui/may-change.tsx";
import { Dialog } from "../ui/page.tsx";
import { RecordTable } from "../ui/record-table.tsx";
import { ShowMore, useLonger } from "../ui/show-more.tsx";
import { someNames } from "../ui/some-names.ts";
import { useFileDrop } from "../ui/use-file-drop.ts";
import { type Item, type Place, sendFiles, workspace } from "./api.ts";
import fileManagerCss from "./file-manager.module.css";
import { FilePreview } from "./file-preview.tsx";
import { FileRow } from "./file-row.tsx";
import { NameForm } from "./name-form.tsx";
import { useTexts } from "./texts.ts";

const STEP = 100;
const AT_ONCE = 20;
const CHANGED = [["workspace"]] as const;

/** The files of a place: looked through, found, sent, moved, renamed and deleted. */
export function FileManager({ place }: { readonly place: Place }) {
  const { t } = useTexts();
  const [path, setPath] = useState("");
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 300);
  const longer = useLonger(STEP);
  const { limit } = longer;
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<Item>();
  const [naming, setNaming] = useState<Item | "folder">();
  const [notKept, setNotKept] = useState<readonly string[]>([]);
  const { tried, isBusy, error } = useTried(CHANGED);
  const asked = { path, q, limit };
  const found = useQuery({
    queryKey: ["workspace", "list", place, asked],
    queryFn: () => workspace.list(place, asked),
    placeholderData: (before) => before,
  });
  const goTo = (folder: string) => {
    setPath(folder);
    setTyped("");
    longer.restart();
    setPicked(new Set());
  };
  const send = (files: readonly File[]) =>
    tried(async () => {
      const failed: string[] = [];
      for (let at = 0; at < files.length; at += AT_ONCE) {
        const sent = await sendFiles(place, path, files.slice(at, at + AT_ONCE));
        failed.push(...sent.failed.map(({ filename, ...why }) => `${filename} (${toldOf(why)})`));
      }
      setNotKept(failed);
    })();
  const isOver = useFileDrop((files, folders) => {
    setNotKept(folders.length > 0 ? [t("noFolders")] : []);
    if (files.length > 0) void send(files);
  });
  const move = (from: string, target: string) => void tried(() => workspace.move(place, from, target))();
  const withPicked = (work: (path: string) => Promise<unknown>, options?: { readonly throws: boolean }) =>
    tried(async () => {
      for (const one of picked) await work(one);
      setPicked(new Set());
    }, options);
  const parts = path === "" ? [] : path.split("/");
  return (
    <div data-testid="file-manager">
      <Group gap="xs">
        <TextInput
          style={{ flex: "1 1 18rem" }}
          aria-label={t("find")}
          placeholder={t("find")}
          value={typed}
          maxLength={200}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-testid="file-search"
        />
        <Changes>
          <Button variant="default" onClick={() => setNaming("folder")} data-testid="new-folder">
            {t("newFolder")}
          </Button>
        </Changes>
        <Changes>
          <FileButton multiple onChange={(files) => void send(files)}>
            {(props) => (
              <Button
                {...props}
                loading={isBusy}
                leftSection={<Icon name="upload" size={16} />}
                data-testid="upload-files"
              >
                {t("upload")}
              </Button>
            )}
          </FileButton>
        </Changes>
      </Group>
      {isOver && (
        <Text className={fileManagerCss.fileDrop} role="status">
          {t("dropHere")}
        </Text>
      )}
      <Failure error={error} />
      {notKept.length > 0 && <Failure error={new Error(t("notKept", { names: notKept.join(", ") }))} />}
      <Breadcrumbs my="sm">
        {["", ...parts].map((part, at) => {
          const folder = parts.slice(0, at).join("/");
          return (
            <Anchor component="button" type="button" size="sm" key={folder} onClick={() => goTo(folder)}>
              {at === 0 ? t("everything") : part}
            </Anchor>
          );
        })}
      </Breadcrumbs>
      {picked.size > 0 && (
        <Group gap="xs" mt="xs" data-testid="picked-files">
          <Text size="sm">{t("selected", { count: String(picked.size) })}</Text>
          {place !== undefined && (
            <Button
              size="compact-sm"
              variant="light"
              onClick={withPicked((one) => workspace.share(place, one))}
              data-testid="share-picked"
            >
              {t("share")}
            </Button>
          )}
          <ConfirmButton
            label={t("remove")}
            what={someNames([...picked])}
            text={t("removeHint")}
            testId="remove-picked"
            run={withPicked((one) => workspace.remove(place, one), { throws: true })}
          />
        </Group>
      )}
      <Loaded query={found}>
        {({ items, total }) =>
          items.length === 0 ? (
            q === "" ? (
              <Empty icon="file" title={t("none")} hint={t("noneHint")} />
            ) : (
              <Text size="sm" c="dimmed" mt="sm">
                {t("noneFound")}
              </Text>
            )
          ) : (
            <>
              <RecordTable columns={[t("name"), t("size"), t("changed")]} actions={t("deeds")}>
                {items.map((item) => (
                  <FileRow
                    key={item.path}
                    place={place}
                    item={item}
                    isPicked={picked.has(item.path)}
                    pick={(isPicked) => setPicked(changedBy(picked, item.path, isPicked))}
                    open={() => (item.type === "directory" ? goTo(item.path) : setOpen(item))}
                    rename={() => setNaming(item)}
                    drop={(from) => move(from, item.path)}
                    showsPath={q !== ""}
                  />
                ))}
              </RecordTable>
              <ShowMore {...longer} shown={items.length} total={total} />
            </>
          )
        }
      </Loaded>
      <Dialog opened={open !== undefined} onClose={() => setOpen(undefined)} title={open?.name ?? ""} size="xl">
        {open && <FilePreview place={place} item={open} />}
      </Dialog>
      <Dialog
        opened={naming !== undefined}
        onClose={() => setNaming(undefined)}
        title={t(naming === "folder" ? "newFolder" : "rename")}
      >
        {naming && <NameForm place={place} path={path} item={naming} done={() => setNaming(undefined)} />}
      </Dialog>
    </div>
  );
}

function changedBy(picked: ReadonlySet<string>, path: string, isPicked: boolean): ReadonlySet<string> {
  const next = new Set(picked);
  if (isPicked) next.add(path);
  else next.delete(path);
  return next;
}
