import { LinearModel } from "../core/dist/scoring/linear/linear-model.js";
const b=LinearModel.build; 
LinearModel.build=(e)=>{const t=process.cpuUsage();const r=b(e);const u=process.cpuUsage(t);console.log("bits",e.bits,"features",e.features.length,"entries",e.classes.length,"ms",(u.user+u.system)/1000);return r};
const { load } = await import("../core/dist/index.js");
const m=(await import("@stemma/model-en-small")).default;
await load(m);await load(m);await load(m);
