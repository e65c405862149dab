import { stemmer } from "stemmer";
import { IRREGULAR } from "./irregular-words.ts";

/** Everyday English words with their Chinese, for questions in another language than the text; several of each are separated by commas. */
const WORDS = `
time=时间|day=日子,天|week=星期,一周|month=月份,个月|year=年份,一年|today=今天|tomorrow=明天|yesterday=昨天|morning=早上,上午|noon=中午
afternoon=下午|evening=晚上,傍晚|night=夜里,晚上|monday=周一,星期一|tuesday=周二,星期二|wednesday=周三,星期三|thursday=周四,星期四
friday=周五,星期五|saturday=周六,星期六|sunday=周日,星期日,星期天|weekend=周末|holiday,vacation=假期,度假,节日|birthday=生日
spring=春天|summer=夏天|autumn,fall=秋天|winter=冬天|hour=小时|minute=分钟|date=日期|schedule=日程,时间表|deadline=截止,期限
open=开放,打开,营业|close,closed=关闭,关门,闭馆|start,begin=开始|end,finish=结束,完成|stop=停止|change=改变,更改,修改|new=新的|old=旧的
person,people=人们,的人|man=男人|woman=女人|child,children,kid=孩子,儿童|baby=婴儿,宝宝|family=家庭,家人|father,dad=父亲,爸爸
mother,mom=母亲,妈妈|parent=父母,家长|brother=兄弟,哥哥,弟弟|sister=姐妹,姐姐,妹妹|son=儿子|daughter=女儿|husband=丈夫,老公
wife=妻子,老婆|grandmother=奶奶,外婆,祖母|grandfather=爷爷,外公,祖父|uncle=叔叔,舅舅|aunt=阿姨,姑姑|cousin=表哥,表姐,堂兄,堂弟
friend=朋友|neighbour,neighbor=邻居|colleague,coworker=同事|boss,manager=老板,经理,主管|teacher=老师,教师|student=学生|doctor=医生
nurse=护士|lawyer=律师|engineer=工程师|customer,client=客户,顾客|visitor,guest=访客,客人,游客|member=成员,会员|name=名字,姓名
job,work=工作|company=公司|office=办公室|meeting=会议,开会|salary,wage,pay=工资,薪水|career,profession=职业|employee,staff=员工,职员
project=项目|task=任务|report=报告|contract=合同|interview=面试|retire=退休|resign,quit=辞职|hire=雇用,招聘|training=培训,训练
school=学校|university,college=大学|class,lesson,course=课程,上课|exam,test=考试,测试|study,learn=学习|homework=作业|library=图书馆
book=书籍,图书|read=阅读,看书|write=写作,书写|language=语言|english=英语|chinese=中文,汉语|history=历史|science=科学|math=数学
home,house=家里,房子|apartment,flat=公寓|room=房间|bedroom=卧室|kitchen=厨房|bathroom,toilet=浴室,厕所,卫生间|door=门口,大门|window=窗户
garden=花园|floor=楼层,地板|roof=屋顶|wall=墙壁|furniture=家具|table=桌子|chair=椅子|bed=床上|lamp,light=灯光|key=钥匙|rent=租金,房租
move=搬家,移动|live=居住,住在|address=地址|city=城市|village=村子,村庄|country=国家|street,road=街道,道路|park=公园|mountain=山上,爬山
river=河流|sea,ocean=大海,海洋|beach=海滩,沙滩|lake=湖泊|forest=森林|island=岛屿|bridge=桥梁|square=广场|museum=博物馆|hospital=医院
restaurant=餐厅,饭店|hotel=酒店,宾馆|shop,store=商店|market=市场|supermarket=超市|bank=银行|airport=机场|station=车站|cinema=电影院
theatre,theater=剧院|gym=健身房|pool=泳池,游泳池|church=教堂|temple=寺庙|factory=工厂|pharmacy=药店|travel,trip=旅行,旅游|journey=旅程
car=汽车,车子|bus=公交,巴士|train=火车|subway,metro=地铁|plane,flight=飞机,航班|bicycle,bike=自行车|ship,boat=轮船|taxi=出租车
ticket=车票,门票,机票|passport=护照|visa=签证|luggage,baggage=行李|driver=司机|drive=开车,驾驶|walk=走路,散步|park=停车|map=地图
food=食物,食品|breakfast=早餐,早饭|lunch=午餐,午饭|dinner=晚餐,晚饭|eat=吃饭|drink=饮料,喝水|water=水|tea=茶叶,喝茶|coffee=咖啡
milk=牛奶|bread=面包|rice=米饭,大米|noodle=面条|meat=肉类|beef=牛肉|pork=猪肉|chicken=鸡肉|fish=鱼类,鱼肉|egg=鸡蛋|vegetable=蔬菜
fruit=水果|apple=苹果|orange=橙子|banana=香蕉|sugar=白糖|salt=食盐|soup=汤类|cake=蛋糕|chocolate=巧克力|wine=葡萄酒|beer=啤酒
cook=做饭,烹饪|recipe=食谱|vegetarian=素食|hungry=饥饿|taste=味道|spicy=辣的|sweet=甜的|restaurant=餐馆|menu=菜单|bill=账单
dog=小狗,狗狗|puppy=小狗,幼犬|cat=猫咪,小猫|kitten=小猫|bird=小鸟,鸟类|horse=马匹|rabbit=兔子|pet=宠物|animal=动物|flower=花卉,鲜花
tree=树木,大树|grass=草地|weather=天气|rain=下雨|snow=下雪|wind=刮风|sun=太阳|hot=炎热|cold=寒冷|temperature=温度,气温|storm=暴风雨
body=身体|head=头部|eye=眼睛|ear=耳朵|hand=双手|foot,feet=双脚|heart=心脏|hair=头发|tooth,teeth=牙齿|skin=皮肤|blood=血液|bone=骨头
ill,sick=生病|disease,illness=疾病|fever=发烧|cold,flu=感冒,流感|pain,ache=疼痛|headache=头痛|cough=咳嗽|medicine,drug=药物,药品
allergy,allergic=过敏|surgery,operation=手术|vaccine=疫苗|health=健康|sleep=睡觉,睡眠|tired=疲劳|exercise=锻炼,运动|diet=饮食|pregnant=怀孕
dentist=牙医|emergency=紧急,急诊|insurance=保险|appointment=预约|money=金钱,钱款|price,cost=价格,费用|buy=购买|sell=出售|cheap=便宜
expensive=昂贵|discount=折扣,优惠|refund=退款|return=退货,归还|pay=支付,付款|payment=付款,支付|tax=税款,税收|loan=贷款|save=节省,保存
order=订单,订购|delivery=送货,配送|shipping=运费,发货|gift,present=礼物|invoice=发票|receipt=收据|warranty=保修|borrow=借书,借用|lend=借出
phone,telephone=电话,手机|computer=电脑,计算机|internet=互联网,网络|website=网站|email=邮件,邮箱|password=密码|account=账号,账户|user=用户
software=软件|program=程序|file=文件|document=文档|photo,picture=照片,图片|video=视频|camera=相机|screen=屏幕|printer=打印机|battery=电池
message=消息,信息|login=登录|download=下载|upload=上传|install=安装|update=更新|delete=删除|backup=备份|error=错误|server=服务器|data=数据
setting=设置|network=网络|button=按钮|keyboard=键盘|machine=机器|model=模型|version=版本|security=安全|privacy=隐私|robot=机器人|code=代码
music=音乐|song=歌曲|sing=唱歌|dance=跳舞|movie,film=电影|game=游戏|sport=运动,体育|football,soccer=足球|basketball=篮球|tennis=网球
swim=游泳|run=跑步|guitar=吉他|piano=钢琴|paint=绘画,画画|hobby=爱好|party=聚会,派对|concert=音乐会,演唱会|wedding=婚礼|marry,marriage=结婚
divorce=离婚|festival=节日|team=团队,球队|win=获胜,赢得|lose=失去,丢失,输掉|player=球员,玩家|ball=球类|prize=奖品|club=俱乐部
love=喜爱,爱情|like=喜欢|hate=讨厌|happy=高兴,快乐|sad=难过,悲伤|angry=生气|afraid=害怕|worry=担心|dream=梦想|hope=希望|favourite,favorite=最喜欢
remember=记得|forget=忘记|think=认为,觉得|know=知道|help=帮助|problem=问题|question=问题|answer=回答,答案|reason=原因|plan=计划
rule=规则,规定|law=法律|right=权利|police=警察|court=法院|crime=犯罪|war=战争|peace=和平|government=政府|president=总统,主席|election=选举
news=新闻|newspaper=报纸|world=世界|society=社会|culture=文化|religion=宗教|economy=经济|environment=环境|energy=能源|oil=石油|gas=天然气
electricity,power=电力|factory=工厂|product=产品|quality=质量|size=尺寸,大小|weight=重量|height=高度,身高|length=长度|speed=速度|distance=距离
colour,color=颜色|red=红色|blue=蓝色|green=绿色|yellow=黄色|black=黑色|white=白色|big,large=大的|small=小的|long=长的|short=短的|high=高的
fast,quick=快速|slow=缓慢|early=提早|late=迟到|free=免费|busy=忙碌|full=满的|empty=空的|clean=干净,清洁|dirty=肮脏|safe=安全|danger=危险
clothes,clothing=衣服|shirt=衬衫|shoe=鞋子|hat=帽子|coat,jacket=外套,夹克|dress=连衣裙|glasses=眼镜|bag=背包,袋子|umbrella=雨伞|watch=手表
allow=允许|forbid,prohibit=禁止|smoke=吸烟,抽烟|repair,fix=修理,维修|break,broken=损坏,坏了|fire=火灾,着火|accident=事故|noise=噪音
contact=联系|apply=申请|register=注册,登记|cancel=取消|confirm=确认|approve=批准|entrance=入口|exit=出口|elevator,lift=电梯|stairs=楼梯
`;

const HAN = /\p{Script=Han}/u;
const english = new Map<string, Set<string>>();
const chinese = new Map<string, Set<string>>();
let longest = 0;

for (const entry of WORDS.trim().split(/[|\n]/)) {
  const [from = "", to = ""] = entry.split("=");
  const stems = from.split(",").map((word) => stemmer(IRREGULAR.get(word) ?? word));
  for (const word of to.split(",")) {
    longest = Math.max(longest, word.length);
    for (const stem of stems) {
      english.set(stem, (english.get(stem) ?? new Set()).add(word));
      chinese.set(word, (chinese.get(word) ?? new Set()).add(stem));
    }
  }
}

/** Returns the Chinese words of an English stem. */
export function toChineseWords(stem: string): ReadonlySet<string> {
  return english.get(stem) ?? NONE;
}

/** Returns the dictionary's Chinese words in a text, with the English stems of each; longer words first. */
export function findChineseWords(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  if (!HAN.test(text)) return found;
  for (let length = longest; length > 0; length -= 1)
    for (let at = 0; at + length <= text.length; at += 1) {
      const word = text.slice(at, at + length);
      const stems = chinese.get(word);
      if (stems) found.set(word, stems);
    }
  return found;
}

const NONE: ReadonlySet<string> = new Set();
