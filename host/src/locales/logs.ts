/** Chinese texts of the log messages, by the English one, which is constant: values are in the fields of the line. */
export const logs: Readonly<Record<string, string>> = {
  "a health probe failed": "运行指标无法读取",
  "a listener failed": "事件处理出错",
  "a local program broke off": "本机程序断开了连接",
  "a plugin could not release a resource": "插件未能释放资源",
  "a plugin could not release all its resources": "插件未能释放全部资源",
  "a plugin ended the service: its code called process.exit": "插件的代码调用了 process.exit，服务因此结束",
  "a plugin failed after it was registered": "插件在注册之后出错",
  "a promise was rejected and not handled": "有 Promise 失败且未被处理",
  "a request failed": "请求失败",
  "a socket could not be opened": "无法打开实时连接",
  "an answer broke off": "响应中断",
  "an exception was not caught; the service continues": "有未捕获的异常，服务继续运行",
  "an exception was not caught; the service stops": "有未捕获的异常，服务停止",
  "local programs cannot connect: no socket can be made in the data folder":
    "本机程序无法连接：数据文件夹中无法创建套接字",
  "resources are still open after the stop": "停止后仍有未释放的资源",
  "the event loop was blocked: nothing was answered in that time": "事件循环被阻塞，期间没有响应",
  "the event-loop monitor stopped": "不再监测服务繁忙的原因",
  "the new configuration did not start; the previous one is restored": "新配置未能启动，已恢复原配置",
  "the other nodes could not be notified": "未能通知其他节点",
};
