import { useQuery } from "@tanstack/react-query";
import { Failure, Loaded, shortTimeOf, useTried } from "../ui/common.tsx";
import { ConfirmButton } from "../ui/confirm.tsx";
import { Empty } from "../ui/empty.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Changes } from "../ui/may-change.tsx";
import { RecordRow, RecordTable } from "../ui/record-table.tsx";
import { workspace } from "./api.ts";
import { useTexts } from "./texts.ts";

const CHANGED = [["workspace"]] as const;

/** What was deleted in the last seven days, of all places. */
export function TrashList() {
  const { t, language } = useTexts();
  const found = useQuery({ queryKey: ["workspace", "trash"], queryFn: workspace.deleted });
  const { tried, error } = useTried(CHANGED);
  return (
    <>
      <Failure error={error} />
      <Loaded query={found}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="trash" title={t("trashEmpty")} isSmall />
          ) : (
            <RecordTable columns={[t("where"), t("changed")]} actions={t("deeds")}>
              {items.map(({ id, name, path, deleted_at }) => (
                <RecordRow
                  key={id}
                  testId="trash-row"
                  cells={[path, shortTimeOf(deleted_at, language)]}
                  actions={
                    <>
                      <Changes>
                        <IconButton
                          icon="refresh"
                          label={t("putBack")}
                          testId="put-back"
                          onClick={tried(() => workspace.putBack(id))}
                        />
                      </Changes>
                      <ConfirmButton
                        icon="trash"
                        label={t("forGood")}
                        what={name}
                        run={tried(() => workspace.forget(id), { throws: true })}
                      />
                    </>
                  }
                />
              ))}
            </RecordTable>
          )
        }
      </Loaded>
    </>
  );
}
