// Help in parts, for commands with more options than a screen has lines: --help shows what a newcomer needs, --help
// TOPIC one topic, --help all everything.
import { type Command, Option } from "commander";

/** The text of a topic, and which options it has besides those that are described below it. */
export interface Topics {
  /** Options that the first screen has, by the names of their values. */
  readonly common: readonly string[];
  /** The end of the first screen, below them. */
  readonly first: string;
  /** By name: what it is about, its options, and what there is to say. */
  readonly topics: Readonly<Record<string, { title: string; options: readonly string[]; text: string }>>;
  /** The text below each of them, and at the end of everything. */
  readonly last: string;
}

const ALL = "all";
/** The first screen lists fewer choices than this, topics list all. */
const FEW = 6;

/** Gives a command a --help that takes a topic; to be called when it has its options. */
export function addTopics(command: Command, { common, first, topics, last }: Topics): Command {
  const names = Object.keys(topics);
  const asked = () => command.getOptionValue("help") as string | undefined;
  const width = Math.max(...names.map((name) => name.length));
  const list = names.map((name) => `  ${name.padEnd(width)}  ${topics[name]!.title}`).join("\n");
  const text = () => {
    const topic = asked();
    if (topic === ALL) return [first, ...names.map((name) => topics[name]!.text), last].join("\n\n");
    if (topic !== undefined) return [topics[topic]!.text, last].join("\n\n");
    return `${first}\n\nMore: stemma ${command.name()} --help TOPIC, or --help ${ALL}\n${list}`;
  };
  const shown = (options: readonly Option[]) => {
    const topic = asked();
    if (topic === ALL) return [...options];
    const wanted = topic === undefined ? [...common, "help"] : topics[topic]!.options;
    return wanted.flatMap((name) => options.filter((option) => option.attributeName() === name));
  };
  return command
    .helpOption(false)
    .addOption(new Option("-h, --help [topic]", "this page, or that of a topic").choices([...names, ALL]))
    .configureHelp({
      visibleOptions: ({ options }) => shown(options),
      optionDescription: ({ long, description, argChoices = [] }) => {
        const isListed =
          long !== "--help" && argChoices.length > 0 && (asked() !== undefined || argChoices.length < FEW);
        return isListed ? `${description}: ${argChoices.join(", ")}` : description;
      },
    })
    .addHelpText("after", () => `\n${text()}`)
    .on("option:help", () => {
      if (asked() === (true as never)) command.setOptionValue("help", undefined);
      command.help();
    });
}

/** Lets a command's help show everything, for the manual page. */
export function showAllTopics(command: Command): void {
  if (command.options.some(({ long }) => long === "--help")) command.setOptionValue("help", ALL);
}
