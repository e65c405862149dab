import {
  AppError,
  type ErrorCode,
  type Given,
  type ItemFailure,
  inBothLanguages,
  itemFailure,
  type Localized,
  type ParamsIn,
  sentencesOf,
  type TextParam,
  toLocalized,
} from "@parley/core";

const sentences = sentencesOf("host", {
  config_absent: { en: "config: {file} does not exist", zh: "配置文件 {file} 不存在" },
  config_line: { en: "config: {file}, line {line}: {wrong}", zh: "{file} 第 {line} 行：{wrong}" },
  config_unread: { en: "config: {file} cannot be read: {reason}", zh: "无法读取配置文件 {file}：{reason}" },
  config_wrong: { en: "{problems}", zh: "config.ini 有误：{problems}" },
  entry_unknown: { en: "config.ini, {place}: is not known{meant}", zh: "config.ini 的 {place} 不是已知的设置{meant}" },
  entry_wrong: { en: "config.ini, {place}: {wrong}", zh: "config.ini 的 {place} 有误：{wrong}" },
  env_unread: { en: "{file} cannot be read: {reason}", zh: "无法读取 {file}：{reason}" },
  in_no_section: { en: "config.ini, {key}: is in no section", zh: "config.ini 的 {key} 不在任何分节中" },
  is_repeated: { en: "{name} was set in line {before} already", zh: "{name} 已在第 {before} 行设置" },
  meant: { en: "; did you mean '{near}'?", zh: "，是否指“{near}”？" },
  name_package: { en: "give the name of its package", zh: "请写出它的包名" },
  no_plugin: {
    en: "config.ini, [plugin.{id}]: there is no plugin '{id}'{meant}",
    zh: "config.ini 的 [plugin.{id}]：没有插件“{id}”{meant}",
  },
  no_section: {
    en: "'{line}' is no section: write [name] alone on its line",
    zh: "“{line}”不是分节，请单独一行写 [名称]",
  },
  no_setting: { en: "'{line}' is no setting: write key = value", zh: "“{line}”不是设置，请写成 key = value" },
  no_text: { en: "it is not a text file", zh: "不是文本文件" },
  not_utf8: { en: "it is not UTF-8: save it as UTF-8", zh: "不是 UTF-8 编码，请以 UTF-8 保存" },
  section_twice: {
    en: "config.ini, line {line}: [{section}] begins in line {before} already: both count as one section",
    zh: "config.ini 第 {line} 行：[{section}] 已在第 {before} 行开始，两处合并为一节",
  },
  last_good_unread: {
    en: "the copy of its last good content cannot be used either: {reason}",
    zh: "上次有效内容的副本也无法使用：{reason}",
  },
  settings_plugins: {
    en: "settings.json: 'plugins' is not an object and is ignored",
    zh: "settings.json 中的“plugins”不是对象，已忽略",
  },
  settings_unread: {
    en: "settings.json cannot be read, so changes of plugins made in the console are not in force: {reason}",
    zh: "无法读取 settings.json，在控制台中对插件的更改未生效：{reason}",
  },
  settings_last_good: {
    en: "settings.json cannot be read, so changes of plugins made in the console are in force as they were in it last: {reason}",
    zh: "无法读取 settings.json，沿用其中上次有效的插件更改：{reason}",
  },
  utf16: { en: "it is UTF-16: save it as UTF-8", zh: "是 UTF-16 编码，请以 UTF-8 保存" },
  value_wrong: { en: "'{value}' is not {allowed}", zh: "“{value}”应为{allowed}" },
  variable_off: { en: "{name}: {wrong}: it stays off", zh: "环境变量 {name}：{wrong}，因此保持关闭" },
  variable_unknown: { en: "{name}: is not known{meant}", zh: "未知的环境变量 {name}{meant}" },
  variable_wrong: { en: "{name}: {wrong}", zh: "环境变量 {name}：{wrong}" },

  core_copy: {
    en: "plugin '{id}' brings its own copy of @parley/core: {theirs} beside {ours}",
    zh: "插件“{id}”自带 @parley/core 的副本：{theirs}，此处为 {ours}",
  },
  kept_on: {
    en: "settings.json switches off '{id}', which stays on: {why}",
    zh: "settings.json 中停用了“{id}”，但它保持启用：{why}",
  },
  no_settings: { en: "[plugin.{id}] {key}: the plugin has no settings", zh: "[plugin.{id}] {key}：此插件没有设置" },
  nothing_installed: {
    en: "none of the packages that come with Parley is installed here: npm install @parley/server brings them all",
    zh: "此处未安装 Parley 自带的任何包，可用 npm install @parley/server 安装",
  },
  of_plugin: { en: "plugin '{id}': {reason}", zh: "插件“{id}”：{reason}" },
  of_plugins: { en: "plugins {ids}: {reason}", zh: "插件{ids}：{reason}" },
  of_package: { en: "plugin '{id}' ({name}): {reason}", zh: "插件“{id}”（{name}）：{reason}" },
  data_is_file: {
    en: "{folder} is a file: the data folder must be a folder",
    zh: "{folder} 是文件，而数据需保存在文件夹中",
  },

  adds_taken: { en: "adds the {name}, which the host has already", zh: "添加的 {name} 已由服务自身提供" },
  adds_twice: { en: "adds the {name} twice", zh: "重复添加了 {name}" },
  adds_others: { en: "adds the {name}, which '{other}' adds already", zh: "添加的 {name} 已由“{other}”添加" },
  adds_as_well: { en: "adds the {name}, which '{other}' adds as well", zh: "添加的 {name} 也由“{other}”添加" },
  area_unserved: {
    en: "the page '{id}' loads {url}, which no row serves: add a GET row for it that returns rawReply(…)",
    zh: "页面“{id}”加载的 {url} 没有任何接口提供，请为它添加返回 rawReply(…) 的 GET 接口",
  },
  call_ended: {
    en: "{name} of plugin '{plugin}' ended after {seconds} s",
    zh: "插件“{plugin}”的 {name} 在 {seconds} 秒后结束",
  },
  call_unended: {
    en: "{name} of plugin '{plugin}' has not ended after {seconds} s",
    zh: "插件“{plugin}”的 {name} 已运行 {seconds} 秒，尚未结束",
  },
  call_unended_advice: {
    en: "if it stays so, switch the plugin off and tell its author",
    zh: "若一直如此，请停用该插件并告知其作者",
  },
  channel_secret: {
    en: "the setting '{field}' of channels of type '{type}' would hold a secret in clear: name a variable in '{field}_env', and read it with io.secret",
    zh: "“{type}”渠道的设置“{field}”会以明文保存密钥，请改用“{field}_env”填写变量名，并通过 io.secret 读取",
  },
  command_category: {
    en: "the command {name} has the category '{category}', which the list of commands does not have; it is one of {known}{meant}",
    zh: "命令 {name} 的类别“{category}”不在命令列表的类别中，可用的有 {known}{meant}",
  },
  plugin_secret: {
    en: "[plugin.{id}] {field} would hold a secret in clear in config.ini: name a variable in '{field}_env'",
    zh: "[plugin.{id}] {field} 会把密钥以明文写在 config.ini 中，请改用“{field}_env”填写变量名",
  },
  raw_plain: {
    en: "the raw row {row} returns an object, and every request to it would fail: return rawReply(…)",
    zh: "原始接口 {row} 返回的是对象，对它的请求都会失败，请返回 rawReply(…)",
  },
  resource_secret: {
    en: "the field '{field}' of '{kind}' would be shown to everybody who may read: name it under 'secret'",
    zh: "“{kind}”的字段“{field}”会显示给所有可读取的人，请将它列入“secret”",
  },
  setting_secret: {
    en: "the setting '{key}' would hold a secret in clear: name a variable in '{key}_env'",
    zh: "设置“{key}”会以明文保存密钥，请改用“{key}_env”填写变量名",
  },
  webhook_unserved: {
    en: "channels of type '{type}' have their webhook at {path}, which no row serves: add a POST row that calls receiveWebhook",
    zh: "“{type}”渠道的 Webhook 地址 {path} 没有任何接口提供，请添加调用 receiveWebhook 的 POST 接口",
  },
  circle: { en: "plugins require each other in a circle: {ids}", zh: "插件循环依赖：{ids}" },
  contribution_refused: {
    en: "what it adds to {point} cannot be used: {reason}",
    zh: "它添加到 {point} 的内容不可用：{reason}",
  },
  contribution_unmade: {
    en: "what it adds to {point} cannot be made: {reason}",
    zh: "无法创建它添加到 {point} 的内容：{reason}",
  },
  id_taken: { en: "id '{id}' is taken by '{other}'", zh: "ID“{id}”已被“{other}”使用" },
  in_place: {
    en: ". '{id}' is {name} in config.ini, in place of {ours}: a package of your own needs another name there",
    zh: "。config.ini 中“{id}”是 {name}，取代了 {ours}：你自己的包须使用其他名称",
  },
  lost_services: { en: "needs {services}, whose plugin failed", zh: "需要 {services}，而提供它的插件未能启动" },
  missing_services: {
    en: "needs {services}, which no enabled plugin provides{off}{replaced}",
    zh: "需要 {services}，但没有已启用的插件提供{off}{replaced}",
  },
  switched_off: { en: " (switched off: {ids})", zh: "（已关闭：{ids}）" },
  no_reference: { en: "{field}: there is no {kind} '{name}'", zh: "{field}：没有 {kind}“{name}”" },
  not_in_time: { en: "{step} did not end within {seconds} s", zh: "{step} 未在 {seconds} 秒内完成" },
  would_not_start: {
    en: "the service keeps running, because it could not start again: {problems}",
    zh: "服务无法再次启动，因此继续运行：{problems}",
  },
  not_removed: {
    en: "nothing was removed, because the service does not start without it: {reason}",
    zh: "未移除任何内容，因为其余部分没有它无法启动：{reason}",
  },
  not_started: { en: "the plugin did not start with this change: {reason}", zh: "更改后插件未能启动：{reason}" },
  plugin_wrong: { en: "{problems}", zh: "插件设置有误：{problems}" },
  provided_already: {
    en: "provides '{service}', which '{other}' provides already",
    zh: "提供的“{service}”已由“{other}”提供",
  },
  register_async: {
    en: "it is async: what must be waited for belongs in start",
    zh: "它是异步的，需要等待的内容应放在 start 中",
  },
  start_failed: { en: "{problems}", zh: "{problems}" },
  step_failed: { en: "{step} failed: {reason}", zh: "{step} 失败：{reason}" },
  wrong_settings: { en: "[plugin.{id}] {reason}", zh: "[plugin.{id}] 设置有误：{reason}" },

  import_failed: { en: "package '{name}' cannot be imported: {reason}", zh: "无法加载包“{name}”：{reason}" },
  import_folder: {
    en: "its package.json names {file}, which is a folder: name the file in it",
    zh: "其 package.json 指向的 {file} 是文件夹，请指明其中的文件",
  },
  import_late: { en: "its import did not end within {seconds} s", zh: "加载未在 {seconds} 秒内完成" },
  import_misses: {
    en: `it needs the package '{missing}', which is not installed beside it: name it under "{kind}" of its package.json`,
    zh: "它需要的包“{missing}”没有一同安装，请写入其 package.json 的“{kind}”",
  },
  import_typescript: {
    en: "its package.json names {file}, which is TypeScript: publish the JavaScript that tsc makes of it",
    zh: "其 package.json 指向的 {file} 是 TypeScript，请发布由 tsc 生成的 JavaScript",
  },
  import_unbuilt: {
    en: 'its package.json names {file}, which is not there: build it before it is packed, and list its folder under "files"',
    zh: "其 package.json 指向的 {file} 不存在：打包前请先构建，并将其文件夹列入“files”",
  },
  newer_contract: {
    en: "was built for contract {built}, this host has contract {ours}: update Parley, or install an earlier version of the package",
    zh: "为契约 {built} 构建，而此服务使用契约 {ours}：请更新 Parley，或安装该包的较早版本",
  },
  not_installed: { en: "package '{name}' is not installed in {root}", zh: "{root} 中未安装包“{name}”" },
  older_contract: {
    en: "was built for contract {built}, this host has contract {ours}: install a newer version of the package",
    zh: "为契约 {built} 构建，而此服务使用契约 {ours}：请安装该包的较新版本",
  },
  package_unread: {
    en: "package '{name}' cannot be read: its package.json: {reason}",
    zh: "无法读取包“{name}”的 package.json：{reason}",
  },
  plugin_of_package: { en: "package '{name}' {reason}", zh: "包“{name}”{reason}" },
  plugin_shape: { en: "{problem}", zh: "包“{name}”不是可用的插件：{problem}" },

  backup_absent: {
    en: "{folder} is not a complete backup",
    zh: "{folder} 不是备份，或是未完成的备份",
  },
  backup_damaged: {
    en: "the backup {folder} cannot be used: {path} {what}",
    zh: "备份 {folder} 无法使用：{path} {what}",
  },
  backup_disk: { en: "no backup was made: {said} ({message})", zh: "未生成备份：{said}（{message}）" },
  backup_list: { en: "{file} cannot be used: {reason}", zh: "{file} 无法使用：{reason}" },
  backup_newer: {
    en: "{folder} was made by a newer version ({what}): update this one first",
    zh: "{folder} 由更新的版本（{what}）生成，请先更新此处",
  },
  backup_unasked: {
    en: "rows name files that are not in the data folder, and who may keep them cannot be asked (--without-files leaves out what is not in the data folder):\n  - {problems}",
    zh: "有记录所指的文件不在数据文件夹中，而保存它们的插件无法使用：{problems}",
  },
  backup_unread: {
    en: "no backup was made: files in {place} cannot be read: {reason} (--without-files leaves out what is not in the data folder)",
    zh: "未生成备份：无法读取 {place} 中的文件：{reason}",
  },
  copy_changed: { en: "changed while it was copied", zh: "在复制时被更改" },
  copy_damaged: { en: "is a damaged database ({said})", zh: "是损坏的数据库（{said}）" },
  copy_missing: { en: "is missing", zh: "不存在" },
  copy_other: { en: "is not as it was stored", zh: "与保存时不同" },
  copy_unread: { en: "is not a readable database ({said})", zh: "不是可读取的数据库（{said}）" },
  data_unmade: {
    en: "the data folder {folder} cannot be made: {message}. Choose another with --data-dir, or let this user write there",
    zh: "无法创建数据文件夹 {folder}：{message}。请用 --data-dir 另选位置，或授予此用户写入权限",
  },
  disk_absent: { en: "{place} is not there and cannot be made", zh: "{place} 不存在，且无法创建" },
  disk_fails: { en: "the disk of {place} is failing", zh: "{place} 所在的磁盘出现故障" },
  disk_file_size: {
    en: "the disk of {place} cannot hold a file of that size",
    zh: "{place} 所在的磁盘无法保存这么大的文件",
  },
  disk_full: { en: "the disk of {place} is full", zh: "{place} 所在的磁盘已满" },
  disk_no_folder: { en: "{place} is not a folder, or its parent is not", zh: "{place} 不是文件夹，或其上级不是文件夹" },
  disk_read_only: { en: "the disk of {place} is read-only", zh: "{place} 所在的磁盘是只读的" },
  disk_rights: {
    en: "{place} cannot be written or read by this user",
    zh: "运行服务的用户没有读写 {place} 的权限",
  },
  left_as_found: {
    en: "{files} not what was stored, and in the backup as found: {names}",
    zh: "{files}与保存时不同，已按现状备份：{names}",
  },
  left_damaged: {
    en: "{files} not what was stored, and not in the backup: {names}",
    zh: "{files}与保存时不同，未包含在备份中：{names}",
  },
  left_elsewhere: {
    en: "{files} in {place}, and not in the backup: {names}",
    zh: "{files}位于 {place}，未包含在备份中：{names}",
  },
  left_nowhere: {
    en: "{files} named by rows, and nowhere to be found: {names}",
    zh: "{files}有记录，但找不到：{names}",
  },
  left_outside: {
    en: "{path} is kept outside the data folder and is not in the backup",
    zh: "{path} 保存在数据文件夹之外，未包含在备份中",
  },
  left_table: {
    en: "{table}: no enabled plugin has this table, and it has {rows} rows: name the plugin that made it under [plugins] in config.ini (it may be switched off there), or drop the table",
    zh: "{table}：没有启用的插件使用此表，其中有 {rows} 行：请在 config.ini 的 [plugins] 中写明创建它的插件（可以停用），或删除此表",
  },
  remove_left: {
    en: "plugin '{id}' is off and removed from config.ini, but npm could not remove {name} from {folder}: {reason}",
    zh: "插件“{id}”已停用并从 config.ini 移除，但 npm 无法从 {folder} 删除 {name}：{reason}",
  },
  remove_needed: {
    en: "plugin '{id}' is needed by {others}: remove that first, or switch it off",
    zh: "{others} 需要插件“{id}”，请先移除或停用",
  },
  remove_other: {
    en: "plugin '{id}' is {name}, which was not added by parley add: take its line out of config.ini",
    zh: "插件“{id}”为 {name}，并非由 parley add 添加，请自行从 config.ini 中删除对应的行",
  },
  remove_ours: {
    en: "{name} comes with Parley and cannot be removed: switch it off with '{id} = off' under [plugins] in config.ini",
    zh: "{name} 是 Parley 自带的包，不能移除：可在 config.ini 的 [plugins] 中以“{id} = off”停用",
  },
  remove_unknown: {
    en: "no plugin or package is called '{name}'; added were: {added}",
    zh: "没有名为“{name}”的插件或包；已添加的有：{added}",
  },
  remove_unwritten: {
    en: "nothing was removed: {file} cannot be written: {reason}",
    zh: "未移除任何内容：无法写入 {file}：{reason}",
  },
  restore_disk: { en: "nothing was restored: {said} ({message})", zh: "未恢复任何内容：{said}（{message}）" },

  an_address: { en: "an address that begins with http:// or https://", zh: "以 http:// 或 https:// 开头的地址" },
  an_ip: { en: "an IP address, or a network such as 10.0.0.0/8", zh: " IP 地址，或网段如 10.0.0.0/8" },
  an_origin: { en: "an origin such as https://chat.example.org", zh: "来源，例如 https://chat.example.org" },
  a_port: { en: "a port, 0 to 65535", zh: "端口，0 至 65535" },
  a_switch: {
    en: "on or off (also yes and no, true and false, 1 and 0)",
    zh: " on 或 off（也可写 yes 和 no、true 和 false、1 和 0）",
  },
});


/** Key of `left_table`, to distinguish it from other missing parts of a backup. */
export const LEFT_TABLE = "host.left_table";

/** A localized message with its key; the detail is not enumerable, so answers contain only the two languages. */
export interface Sentence extends Localized {
  readonly detail?: ItemFailure["detail"];
}

/** Returns a text of the host in both languages; a parameter may be one itself. */
export function sentence<Key extends keyof typeof en & string>(
  key: Key,
  ...given: Given<ParamsIn<(typeof en)[Key], TextParam>>
): Sentence {
  return inTwo(sentences(key, ...given));
}

function inTwo({ error, detail }: ItemFailure): Sentence {
  return Object.defineProperty(inBothLanguages(error, detail), "detail", { value: detail });
}

/** Returns a text that is the same in both languages: names and foreign messages. */
export function verbatim(text: string): Localized {
  return { en: text, zh: text };
}

/** Several, one behind the other. */
export function joined(all: readonly Localized[]): Localized {
  return { en: all.map(({ en }) => en).join("; "), zh: all.map(({ zh }) => zh).join("；") };
}

/** Returns the localized message of an error; foreign errors keep their own message. */
export function toSentence(error: unknown): Sentence {
  if (!AppError.is(error)) return verbatim(error instanceof Error ? error.message : String(error));
  if (error.detail === undefined) return verbatim(error.message);
  const failure = itemFailure(error);
  return failure.detail ? inTwo(failure) : toLocalized(error);
}

/** Creates an error with this message; its key identifies it. */
export function failureSaying(code: ErrorCode, both: Sentence, options: ErrorOptions = {}): AppError {
  return new AppError(code, both.en, { detail: detailOf(both), ...options });
}

/** Returns a message in the form of answers. */
export function toItemFailure(both: Sentence): ItemFailure {
  return { error: both.en, detail: detailOf(both) };
}

/** Returns the detail of a message; for combined or foreign texts it carries only the Chinese text. */
function detailOf(both: Sentence): NonNullable<ItemFailure["detail"]> {
  return both.detail ?? { key: "host.said", params: { said: both.zh }, chinese: "{said}" };
}
