import { DEFAULT_FIELDS, type DocumentFields } from "@stemma/server/annotation";
import type { Command } from "commander";

/** The values of the options. */
export interface FieldOptions {
  textField: string;
  idField: string;
}

/** Adds the options that say where text and name of a document are. */
export function addFieldOptions(command: Command): Command {
  return command
    .option("--text-field <name>", "field of a document with its text", DEFAULT_FIELDS.text)
    .option("--id-field <name>", "field of a document with its name", DEFAULT_FIELDS.id);
}

/** Where they are; a name that was asked for has to be there. */
export function fieldsOf({ textField, idField }: FieldOptions, command: Command): DocumentFields {
  return { text: textField, id: idField, needsId: command.getOptionValueSource("idField") === "cli" };
}

/** Refuses the options where no documents come in. */
export function refuseFields(command: Command): void {
  for (const option of ["textField", "idField"]) {
    if (command.getOptionValueSource(option) !== "cli") continue;
    const flag = option === "textField" ? "--text-field" : "--id-field";
    command.error(`error: invalid ${flag}: it would have no effect (${flag} needs documents: --from jsonl)`);
  }
}
