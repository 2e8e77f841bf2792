// The script of a thread that parses for `stemma serve`.
import "@stemma/server/worker";
