import { Option } from "commander";

/** When text is coloured. */
const COLOR = ["auto", "always", "never"] as const;
export type Color = (typeof COLOR)[number];

/** The option --color of commands that draw. */
export function colorOption(): Option {
  return new Option("--color <when>", "when to use colours; auto: on a terminal, unless NO_COLOR is set")
    .choices(COLOR)
    .default("auto");
}

/** Whether to use colours, on a terminal or not. */
export function usesColor(color: Color, terminal: boolean): boolean {
  return color === "always" || (color === "auto" && terminal && !process.env.NO_COLOR && process.env.TERM !== "dumb");
}
