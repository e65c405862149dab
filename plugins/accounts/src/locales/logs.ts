/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a client lost its access: a code or token was used twice": "客户端已失去访问权限：授权码或令牌被使用了两次",
  "a client revoked its own access": "客户端已交还访问权限",
  "a client was granted access": "客户端已获得访问权限",
  "a login failed": "登录失败",
  "a login succeeded": "登录成功",
  "a password was changed": "密码已修改",
  "a person denied a client access": "已有人拒绝客户端访问",
  "a person granted a client access": "已有人允许客户端访问",
  "an earlier name of the administrator cannot sign in any more": "管理员原先的名称不能再登录",
  "sessions of clients could not be ended": "无法结束客户端的连接",
  "the password was changed by the environment; all login tokens are revoked":
    "密码已由环境变量修改，所有登录令牌均已撤销",
};
