import { Argument, type Command, type Option } from "commander";
import { guarded } from "../files/io.js";

const SCRIPTS = { bash, zsh, fish } as const;

const EXAMPLES = `
Add the line for your shell to its startup file, or put the script where the shell looks for completions:
  bash  ~/.bashrc                       eval "$(stemma completion bash)"
  zsh   ~/.zshrc, after compinit        eval "$(stemma completion zsh)"
  fish  ~/.config/fish/config.fish      stemma completion fish | source

The shell then completes commands, options and their values; everything else is completed as a file name.
Exit status: 0 if the script was printed, 2 for wrong usage.`;

/** Adds `stemma completion`. */
export function register(program: Command, load: () => Promise<Command>): void {
  program
    .command("completion")
    .description("print a script that lets a shell complete commands and options")
    .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", EXAMPLES)
    .action(
      guarded(async (shell: keyof typeof SCRIPTS) => {
        process.stdout.write(SCRIPTS[shell](await load()));
      }),
    );
}

interface Described {
  readonly name: string;
  readonly description: string;
  readonly options: readonly Option[];
  /** Values that the first argument may have, if they are listed. */
  readonly choices: readonly string[];
}

/** The commands and what they take; `help` is made by commander. */
function described(program: Command): Described[] {
  const help = program.createHelp();
  return help
    .visibleCommands(program)
    .filter((command) => command.name() !== "help")
    .map((command) => ({
      name: command.name(),
      description: command.description(),
      options: help.visibleOptions(command),
      choices: command.registeredArguments[0]?.argChoices ?? [],
    }));
}

const flagsOf = (option: Option) => [option.long, option.short].filter((flag) => flag !== undefined);
/** Whether the next word belongs to the option. */
const takesValue = (option: Option) => option.required || option.optional;
/** The names of the values: "--to <format>" takes a "format". */
const valueName = (option: Option) => /[<[]([^>\].]+)/.exec(option.flags)?.[1] ?? "value";

function bash(program: Command): string {
  const commands = described(program);
  const values = commands.flatMap(({ name, options }) =>
    options.filter(takesValue).map((option) => {
      const words = option.argChoices ? `_stemma_words ${bashWord(option.argChoices.join(" "))}` : ":";
      const cases = flagsOf(option).map((flag) => `"${name} ${flag}"`);
      return `    ${cases.join(" | ")}) ${words}; return ;;`;
    }),
  );
  const rest = commands.map(({ name, options, choices }) => {
    const flags = `_stemma_words ${bashWord(options.flatMap(flagsOf).join(" "))}`;
    const others = choices.length > 0 ? `_stemma_words ${bashWord(choices.join(" "))}` : "COMPREPLY=()";
    return `    ${name}) if [[ $current == -* ]]; then ${flags}; else ${others}; fi ;;`;
  });
  const names = [...commands.map(({ name }) => name), "help", "--help", "--version"].join(" ");
  return `# Completion of stemma for bash; made by: stemma completion bash
_stemma_words() {
  COMPREPLY=($(compgen -W "$1" -- "$current"))
}
_stemma() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="\${COMP_WORDS[1]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    _stemma_words ${bashWord(names)}
    return
  fi
  case "$command $previous" in
${values.join("\n")}
  esac
  case "$command" in
${rest.join("\n")}
  esac
}
complete -o default -o bashdefault -F _stemma stemma
`;
}

const bashWord = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function zsh(program: Command): string {
  const commands = described(program);
  // Brackets and colons have a meaning in the descriptions of _arguments.
  const escaped = (text: string) => text.replace(/[\\[\]:]/g, "\\$&");
  const listed = (words: readonly string[]) => `(${words.map((word) => word.replace(/[\s()\\]/g, "\\$&")).join(" ")})`;
  const specs = ({ options, choices }: Described) => [
    ...options.flatMap((option) => {
      const name = escaped(valueName(option));
      const value = option.argChoices ? listed(option.argChoices) : "_files";
      const message = !takesValue(option) ? "" : `:${option.optional ? ":" : ""}${name}:${value}`;
      // "*" lets an option come more than once, as those do that take a list.
      return flagsOf(option).map((flag) => bashWord(`*${flag}[${escaped(option.description)}]${message}`));
    }),
    bashWord(choices.length > 0 ? `*:value:${listed(choices)}` : "*:file:_files"),
  ];
  const names = commands.map(({ name, description }) => `    ${bashWord(`${name}:${description}`)}`);
  const cases = commands.map(
    (command) => `    ${command.name})\n      _arguments \\\n        ${specs(command).join(" \\\n        ")}\n      ;;`,
  );
  return `#compdef stemma
# Completion of stemma for zsh; made by: stemma completion zsh
_stemma() {
  local -a commands
  commands=(
${names.join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
if [[ $funcstack[1] == _stemma ]]; then
  _stemma "$@"
else
  compdef _stemma stemma
fi
`;
}

function fish(program: Command): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const lines = described(program).flatMap(({ name, description, options, choices }) => {
    const within = `complete -c stemma -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c stemma -n __fish_use_subcommand -f -a ${name} -d ${quoted(description)}`,
      ...options.map((option) => {
        const flags = [option.long && `-l ${option.long.slice(2)}`, option.short && `-s ${option.short.slice(1)}`];
        const values = option.argChoices ? `-x -a ${quoted(option.argChoices.join(" "))}` : "-r";
        const parts = [within, ...flags.filter(Boolean), takesValue(option) ? values : ""];
        return `${parts.filter(Boolean).join(" ")} -d ${quoted(option.description)}`;
      }),
      ...(choices.length > 0 ? [`${within} -f -a ${quoted(choices.join(" "))}`] : []),
    ];
  });
  return `# Completion of stemma for fish; made by: stemma completion fish\n${lines.join("\n")}\n`;
}
