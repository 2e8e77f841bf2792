import { NONE } from "@stemma/core";

console.log(NONE);
