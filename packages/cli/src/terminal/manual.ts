import type { Command } from "commander";
import { showAllTopics } from "./topics.js";

/** The manual page of a program, in the macros of man(7), made from its commands and their help. */
export function manualPage(program: Command): string {
  const help = program.createHelp();
  const commands = help.visibleCommands(program).filter((command) => command.name() !== "help");
  const sections = commands.map((command) => {
    const usage = `${program.name()} ${help.commandUsage(command).replace(/^\S+ /, "")}`;
    const terms = [
      ...help.visibleArguments(command).map((argument) => ({
        term: `\\fI${roff(help.argumentTerm(argument))}\\fR`,
        text: help.argumentDescription(argument),
      })),
      ...help.visibleOptions(command).map((option) => ({
        term: `\\fB${roff(option.flags)}\\fR`,
        text: help.optionDescription(option),
      })),
    ];
    return [
      `.SS "${roff(command.name())}"`,
      `\\fB${roff(usage)}\\fR`,
      ".PP",
      line(sentence(command.description())),
      ...terms.flatMap(({ term, text }) => [".TP", term, line(text)]),
      ".PP",
      ".nf",
      ...textAfter(command).trim().split("\n").map(line),
      ".fi",
    ].join("\n");
  });
  return `.\\" Made from the help of the commands: npm run man
.TH STEMMA 1 "" "stemma ${program.version()}" "User Commands"
.SH NAME
stemma \\- transition-based dependency parsing
.SH SYNOPSIS
\\fBstemma\\fR \\fIcommand\\fR [\\fIoptions\\fR] [\\fIarguments\\fR]
.SH DESCRIPTION
${line(program.description())}
\\fBstemma\\fR \\fIcommand\\fR \\fB\\-\\-help\\fR shows the options of a command and examples.
.SH COMMANDS
${sections.join("\n")}
`;
}

/** The end of a command's help, below its options. */
function textAfter(command: Command): string {
  let written = "";
  showAllTopics(command);
  const output = command.configureOutput();
  command.configureOutput({ ...output, writeOut: (text) => (written += text) });
  command.outputHelp();
  command.configureOutput(output);
  return written.slice(command.helpInformation().length);
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

/** Text in which no character has a meaning for roff. */
const roff = (text: string) => text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq");

/** A line that roff takes for text, whatever it begins with. */
const line = (text: string) => (/^[.']/.test(text) ? `\\&${roff(text)}` : roff(text));
